-- Drives `hunkwise lsp` with Neovim's own client (0.7 or later), in a buffer of a Python file without findings.

local RULE = 'python/mutable-default-argument'
local PATIENCE = 120000

local function fail(what)
  io.stderr:write(what .. '\n')
  vim.cmd('cquit 1')
end

-- Waits for something to become true; handles messages meanwhile.
local function await(what, condition)
  if not vim.wait(PATIENCE, condition, 10) then
    fail('waited in vain: ' .. what .. '\n' .. vim.inspect(vim.diagnostic.get(0)))
  end
end

local function rules()
  local found = vim.tbl_map(function(one)
    return one.code or one.user_data.lsp.code
  end, vim.diagnostic.get(0))
  table.sort(found)
  return table.concat(found, ' ')
end

-- The title and the edit of the only action of a line that has this in its title.
local function apply(line, title)
  local at = { line = line, character = 0 }
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = at, ['end'] = { line = line, character = 200 } },
    context = { diagnostics = {} },
  }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, PATIENCE)
  for _, answer in pairs(answers) do
    for _, action in ipairs(answer.result or {}) do
      if action.title:find(title, 1, true) then
        vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
        return
      end
    end
  end
  fail('no action: ' .. title .. '\n' .. vim.inspect(answers))
end

local ended
local client = vim.lsp.start_client({
  name = 'hunkwise',
  cmd = { vim.env.HUNKWISE, 'lsp' },
  root_dir = vim.fn.getcwd(),
  init_options = { pauseMilliseconds = 0 },
  on_exit = function(code)
    ended = code
  end,
})
vim.lsp.buf_attach_client(0, client)
await('the client', function()
  return vim.lsp.buf_is_attached(0, client) and vim.lsp.get_client_by_id(client).initialized
end)

-- An unsaved edit behind characters that count two in UTF-16.
vim.api.nvim_buf_set_lines(0, 3, 4, true, { "def add(item, sign='😀', basket=[]):" })
await('the finding', function()
  return rules() == RULE
end)
local found = vim.diagnostic.get(0)[1]
if found.lnum ~= 3 or found.source ~= 'hunkwise' or found.severity ~= vim.diagnostic.severity.WARN then
  fail('not as expected: ' .. vim.inspect(found))
end

-- The comment is above the line, and works once it has a reason.
apply(3, 'Suppress')
await('the comment', function()
  return vim.api.nvim_buf_get_lines(0, 3, 4, true)[1] == '# hunkwise:ignore ' .. RULE .. ' ...'
end)
vim.api.nvim_buf_set_lines(0, 3, 4, true, { '# hunkwise:ignore ' .. RULE .. ' never changed' })
await('the suppression', function()
  return rules() == ''
end)

-- A fix, with the version of the document.
vim.api.nvim_buf_set_lines(0, -1, -1, true, { "os.chmod('a', 644)" })
await('the finding with a fix', function()
  return rules() ~= ''
end)
apply(6, 'Apply the fix')
await('the fix', function()
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
  return lines[#lines] == "os.chmod('a', 0o644)" and rules() == ''
end)

vim.lsp.stop_client(client)
await('the end', function()
  return ended ~= nil
end)
if ended ~= 0 then
  fail('ended with ' .. ended)
end
io.stderr:write('all as expected\n')
vim.cmd('qall!')
