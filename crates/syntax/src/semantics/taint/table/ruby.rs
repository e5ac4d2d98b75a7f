//! Ruby: Rails, Sinatra and Rack.

use super::row::{Row, all, at, named, of};
use crate::semantics::taint::kind::Kind::{
    Code, Command, CommandLine, Deserialise, Format, Html, Ldap, Log, Path, Pattern, Redirect, Sql,
    Template, Url, Xml, Xpath,
};

pub(super) static ROW: Row = Row {
    languages: &["Ruby"],
    sources: "params cookies request.headers request.env request.body request.query_string request.params \
        request.referer request.fullpath request.url request.cookies request.raw_post request.path \
        request.query_parameters request.request_parameters request.path_parameters request.GET request.POST \
        request.host request.original_url request.user_agent request.remote_ip request.referrer request.headers[] \
        request.body.read() request.parameters action_params request.filtered_parameters",
    extra_sources: &[
        (
            "the command line",
            &[Command, Code, Sql, Deserialise],
            "ARGV gets()",
        ),
        (
            "an archive",
            &[Path],
            "entry.name entry.full_name zip_entry.name",
        ),
    ],
    requests: &[],
    source_annotations: &[],
    actions: &[],
    propagators: "to_s strip downcase upcase join format sprintf gsub sub fetch require permit [] chomp dup html_safe \
        raw decode64 unescape new dig first last split slice to_sym constantize concat merge to_h read to_str \
        squish tr delete capitalize titleize camelize underscore classify tableize reverse freeze values values_at \
        each_value keys map flatten compact symbolize_keys with_indifferent_access to_unsafe_h permit! parse \
        load_file gsub! sub! << + % encode force_encoding unpack decode urlsafe_decode64 strict_decode64 \
        to_a prepend insert then tap presence to_query URI Pathname body",
    sanitizers: &[
        (
            &[],
            "to_i to_f Integer Float length size count present? blank? include? hexdigest nil? empty? class",
        ),
        (
            &[Html],
            "h html_escape escape_html sanitize strip_tags escapeHTML json_escape j escape_javascript",
        ),
        (
            &[Sql],
            "quote sanitize_sql sanitize_sql_array sanitize_sql_for_conditions sanitize_sql_like find_by \
            quote_column_name quote_table_name",
        ),
        (&[Command], "escape shellescape shelljoin"),
        (&[Path], "basename"),
        (
            &[Url, Redirect],
            "escape url_for encode_www_form encode_www_form_component",
        ),
        (&[Pattern], "escape quote union"),
        (
            &[Redirect],
            "permit slice find find_by find_by! polymorphic_url polymorphic_path only",
        ),
    ],
    sinks: &[
        at(
            Sql,
            ".where .find_by_sql .execute .order .select_all .exec_query .joins .having .group .pluck \
            .delete_all .update_all .select .count_by_sql .destroy_all .exists? .from .lock .find_by .not .reorder \
            Arel.sql",
            0,
        ),
        at(Sql, ".calculate", 1),
        at(
            Code,
            "eval .instance_eval .class_eval .module_eval .send .constantize .public_send send .const_get \
            .__send__ .try .method Kernel.eval",
            0,
        ),
        named(Template, "render", "inline"),
        at(Template, "ERB.new", 0),
        at(
            Path,
            "File.open File.read File.new File.delete IO.read send_file open File.write File.readlines \
            Dir.entries FileUtils.rm FileUtils.rm_rf Dir.glob File.unlink IO.readlines File.foreach File.rename \
            Dir.children",
            0,
        ),
        at(
            Url,
            "Net.HTTP.get URI.open HTTParty.get RestClient.get Faraday.get Net.HTTP.get_response \
            Net.HTTP.post_form Excon.get Net.HTTP.start Net.HTTP.new HTTParty.post RestClient.post Typhoeus.get",
            0,
        ),
        at(Redirect, "redirect_to redirect", 0),
        at(Html, "raw .html_safe", 0),
        named(Html, "render", "html"),
        all(
            Log,
            "logger.info logger.error logger.warn logger.debug Rails.logger.info",
        ),
        at(Xpath, ".xpath .at_xpath", 0),
        named(Ldap, ".search", "filter"),
        at(Pattern, "Regexp.new Regexp.compile", 0),
        at(
            Deserialise,
            "Marshal.load YAML.load YAML.unsafe_load Oj.load Oj.object_load Marshal.restore",
            0,
        ),
        of(
            Sql,
            "ActiveRecord.Base.connection connection conn db client",
            "execute exec_query select_all select_one \
            select_value select_values select_rows query exec async_exec exec_delete exec_update insert_sql \
            update_sql",
            0,
        ),
        at(
            Sql,
            ".exec .query .async_exec .prepare .average .minimum .maximum .sum .find_or_create_by .rewhere \
            .update_counters .in_order_of .reselect .optimizer_hints .annotate .lock .reverse_order .find_each",
            0,
        ),
        of(
            Code, "Object Module Kernel binding self", "const_get send eval", 0,
        ),
        at(
            Code,
            ".eval .instance_exec .class_exec .qualified_const_get .safe_constantize binding.eval .define_method \
            instance_eval class_eval",
            0,
        ),
        of(
            Path,
            "File IO Dir FileUtils Pathname",
            "binread binwrite chmod chown copy_stream ftruncate join lchmod link \
            mkdir mkdir_p rm rm_r rmdir rmtree cp cp_r mv touch symlink truncate stat size sysopen glob mktmpdir \
            new each_line",
            0,
        ),
        of(
            Path,
            "File FileUtils IO",
            "rename cp mv cp_r link symlink copy copy_stream",
            1,
        ),
        at(Path, "load require require_relative render_file", 0),
        named(Path, "render", "file"),
        of(
            Url,
            "Net.HTTP HTTParty RestClient Faraday Excon Typhoeus HTTP HTTPClient Curl.Easy Curb Patron",
            "post put \
            delete head patch options request get_print new start get_content perform",
            0,
        ),
        at(
            Url,
            "open URI.parse.open OpenURI.open_uri Net.Telnet.new Net.FTP.open Net.HTTP.Get.new Net.HTTP.Post.new \
            Down.download RestClient.Request.execute Net.HTTP.get_print",
            0,
        ),
        named(Url, "RestClient.Request.execute", "url"),
        at(Html, "content_tag link_to .concat .safe_concat .raw", 1),
        named(Html, "render", "text"),
        at(
            Html,
            "ActionView.OutputBuffer.new ActiveSupport.SafeBuffer.new",
            0,
        ),
        of(
            Template,
            "ERB Haml.Engine Liquid.Template Slim.Template Tilt.ERBTemplate Mustache",
            "new parse render",
            0,
        ),
        of(
            Deserialise,
            "YAML Psych Marshal Oj Ox Plist",
            "load load_file load_stream unsafe_load parse_obj \
            restore unsafe_load_file object_load",
            0,
        ),
        of(
            Log, "logger Rails.logger log @logger", "info error warn debug fatal unknown", 0,
        ),
        of(
            Xpath,
            "doc REXML.XPath",
            "xpath at_xpath search at css find match first each",
            0,
        ),
        of(Xpath, "REXML.XPath XPath", "first each match", 1),
        of(Ldap, "Net.LDAP.Filter", "construct eq", 0),
        of(Ldap, "Net.LDAP.Filter", "eq", 1),
        at(
            Sql,
            ".delete_by .destroy_by .find_or_initialize_by .reload .find_by! .update_all \
            .find_or_create_by! .touch_all .left_joins",
            0,
        ),
        named(Sql, ".reload", "lock"),
        at(Xml, "REXML.Document.new LibXML.XML.Parser.string", 0),
        at(
            Sql,
            ".exec_params .async_exec_params .send_query .exec_prepared",
            0,
        ),
        at(
            Format,
            "printf sprintf format Kernel.printf Kernel.sprintf Kernel.format",
            0,
        ),
    ],
    fields: &[],
    sink_nodes: &[(CommandLine, &["subshell"])],
    harmless_types: "",
};
