-- Opens a file with the server attached, edits it, and writes what vim.diagnostic.get() gives.
local source, result = arg_source, arg_result
local said = {}

local function diagnostics()
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { line = d.lnum, column = d.col, code = d.code, source = d.source })
  end
  return found
end

local function wait_for(name, count)
  local came = vim.wait(60000, function() return #vim.diagnostic.get(0) == count end, 50)
  said[name] = { came = came, diagnostics = diagnostics() }
end

vim.cmd("edit " .. vim.fn.fnameescape(source))
vim.bo.filetype = "cuda"
local client = vim.lsp.start_client({
  name = "drano",
  cmd = vim.fn.json_decode(vim.env.DRANO_COMMAND),
  root_dir = vim.fn.fnamemodify(source, ":h"),
})
vim.lsp.buf_attach_client(0, client)

wait_for("opened", 1)
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "  a[threadIdx.x] = 0;" })
wait_for("edited", 0)
vim.cmd("undo")
wait_for("undone", 1)

local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", {
  textDocument = vim.lsp.util.make_text_document_params(0),
  position = { line = 1, character = 4 },
}, 20000)
for _, answer in pairs(hover or {}) do
  said.hover = answer.result and answer.result.contents.value
end

vim.lsp.stop_client(client)
vim.fn.writefile({ vim.fn.json_encode(said) }, result)
vim.cmd("qall!")
