//! How each language runs commands, in one table: calls that take a command line, and calls that take a program.
//!
//! A command line is interpreted by a shell, or at least split at its blanks, so a value in it can add arguments or
//! commands. The arguments of a program that is started without a shell are passed on unchanged.

use super::row::{Argument, Sinks, alone, at, line, sinks, with};
use crate::semantics::taint::kind::Kind::{Command, CommandLine};

/// The calls that run commands, by language.
pub(super) const COMMANDS: &[(&str, &[Sinks])] = &[
    (
        "Python",
        &[
            at(
                CommandLine,
                "os.system os.popen os.popen2 os.popen3 os.popen4 commands.getoutput commands.getstatusoutput \
                subprocess.getoutput subprocess.getstatusoutput getoutput getstatusoutput \
                asyncio.create_subprocess_shell asyncio.subprocess.create_subprocess_shell create_subprocess_shell \
                .exec_command popen2.popen2 popen2.popen3 popen2.popen4 popen2.Popen3 popen2.Popen4 platform.popen \
                pexpect.spawn pexpect.run pty.spawn invoke.run .run_command",
                0,
            ),
            at(CommandLine, ".subprocess_shell", 1),
            with(
                CommandLine,
                "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen \
                run call Popen check_output check_call .run .Popen .check_output .check_call .call",
                0,
                "shell=True",
            ),
            line(
                "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen \
                Popen check_output check_call asyncio.create_subprocess_exec create_subprocess_exec os.execl os.execlp \
                os.execle os.execv os.execvp os.execve os.spawnl os.spawnlp os.spawnv os.spawnvp os.posix_spawn \
                pexpect.spawn pty.spawn",
            ),
            at(
                Command,
                "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen Popen \
                check_output check_call subprocess.capture_output capture_output asyncio.create_subprocess_exec \
                create_subprocess_exec os.execl os.execv os.execvp os.execlp os.execle os.execve os.execvpe os.execlpe \
                os.startfile os.posix_spawn os.posix_spawnp",
                0,
            ),
            at(
                Command,
                "os.spawnl os.spawnv os.spawnle os.spawnlp os.spawnve os.spawnvp os.spawnvpe os.spawnlpe \
                .subprocess_exec",
                1,
            ),
        ],
    ),
    (
        "JavaScript",
        &[
            at(
                CommandLine,
                "exec execSync execAsync child_process.exec child_process.execSync childProcess.exec \
                childProcess.execSync cp.exec cp.execSync proc.execSync child.execSync require().exec \
                require().execSync shell.exec shelljs.exec sh.exec execa.command execa.commandSync execaCommand \
                execaCommandSync execa.shell execa.shellSync",
                0,
            ),
            with(
                CommandLine,
                "spawn spawnSync execFile execFileSync execa .spawn .spawnSync .execFile .execFileSync",
                0,
                "shell:true",
            ),
            with(
                CommandLine,
                "spawn spawnSync execFile execFileSync execa .spawn .spawnSync .execFile .execFileSync",
                1,
                "shell:true",
            ),
            line(
                "spawn spawnSync execFile execFileSync execa .spawn .spawnSync .execFile .execFileSync execaSync \
                execa.sync",
            ),
            at(
                Command,
                "spawn spawnSync execFile execFileSync execa execaSync execa.sync cp.fork child_process.fork \
                child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync \
                childProcess.spawn childProcess.spawnSync childProcess.execFile childProcess.execFileSync \
                childProcess.fork cp.spawn cp.spawnSync cp.execFile cp.execFileSync proc.spawn proc.spawnSync \
                proc.execFile proc.execFileSync proc.fork child.spawn child.spawnSync child.execFile \
                child.execFileSync child.fork require().spawn require().spawnSync require().execFile \
                require().execFileSync",
                0,
            ),
        ],
    ),
    ("Java", JVM),
    ("Kotlin", JVM),
    (
        "Go",
        &[
            line(
                "exec.Command exec.CommandContext .Command .CommandContext syscall.Exec syscall.ForkExec \
                syscall.StartProcess os.StartProcess",
            ),
            at(
                Command,
                "exec.Command syscall.Exec syscall.ForkExec syscall.StartProcess os.StartProcess",
                0,
            ),
            at(Command, "exec.CommandContext", 1),
        ],
    ),
    (
        "C#",
        &[
            at(CommandLine, "Process.Start ProcessStartInfo", 1),
            at(Command, "Process.Start ProcessStartInfo", 0),
        ],
    ),
    (
        "PHP",
        &[
            at(
                CommandLine,
                "exec shell_exec system passthru popen proc_open ssh2_exec .setCommandLine \
                Process.fromShellCommandline",
                0,
            ),
            at(CommandLine, "ssh2_exec", 1),
            line("proc_open pcntl_exec Process"),
            at(Command, "proc_open pcntl_exec Process", 0),
        ],
    ),
    (
        "Ruby",
        &[
            alone(
                CommandLine,
                "system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec \
                Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3 PTY.spawn",
            ),
            at(
                CommandLine,
                "` IO.popen Kernel.popen Open3.pipeline Open3.pipeline_r Open3.pipeline_rw Open3.pipeline_start \
                Open3.pipeline_w",
                0,
            ),
            line(
                "system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec IO.popen \
                Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3 PTY.spawn",
            ),
            at(
                Command,
                "system exec spawn Kernel.system Kernel.exec Kernel.spawn Process.spawn Process.exec IO.popen \
                Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3 PTY.spawn \
                syscall",
                0,
            ),
        ],
    ),
    (
        "Rust",
        &[
            line("Command.new .arg .args"),
            at(Command, "Command.new", 0),
        ],
    ),
    ("C", C),
    ("C++", C),
];

/// Java's `exec` splits its text at the blanks; `ProcessBuilder` takes separate arguments.
const JVM: &[Sinks] = &[
    at(
        CommandLine,
        "Runtime.getRuntime().exec getRuntime().exec Runtime.exec runtime.exec rt.exec",
        0,
    ),
    line(
        "Runtime.getRuntime().exec getRuntime().exec Runtime.exec runtime.exec rt.exec ProcessBuilder \
        ProcessBuilder.command ProcessBuilder().command processBuilder.command builder.command pb.command",
    ),
    at(
        Command,
        "Runtime.getRuntime().exec getRuntime().exec Runtime.exec runtime.exec rt.exec ProcessBuilder \
        ProcessBuilder.command ProcessBuilder().command processBuilder.command builder.command pb.command",
        0,
    ),
];

const C: &[Sinks] = &[
    at(
        CommandLine,
        "system popen _popen _wsystem _wpopen wordexp std.system g_spawn_command_line_async \
        g_spawn_command_line_sync",
        0,
    ),
    line("execl execlp execle execv execvp execve posix_spawn posix_spawnp"),
    sinks(
        Command,
        "execl execlp execle execv execvp execve execvpe",
        Argument::At(0),
    ),
];
