-- Lists notes, or refreshes tokens, each of which is good once: the answer has the next one.
-- Arguments: a file with an access token in the first line and a refresh token in each of the others,
-- and `notes` or `refresh`.

local form = { ["Content-Type"] = "application/x-www-form-urlencoded" }
local tokens, headers, is_refresh = {}, {}, false

function init(arguments)
    for token in io.lines(arguments[1]) do
        table.insert(tokens, token)
    end
    headers.Authorization = "Bearer " .. table.remove(tokens, 1)
    is_refresh = arguments[2] == "refresh"
end

function request()
    if is_refresh then
        local token = table.remove(tokens)
        return wrk.format("POST", "/token", form, "grant_type=refresh_token&client_id=web&refresh_token=" .. token)
    end
    return wrk.format("GET", "/notes", headers)
end

function response(_, _, body)
    table.insert(tokens, is_refresh and body:match('"refresh_token":"([^"]*)"') or nil)
end

function done(summary)
    local errors, failed = summary.errors, 0
    for _, count in pairs(errors) do
        failed = failed + count
    end
    io.write(string.format("%.0f %d\n", summary.requests / summary.duration * 1e6, failed))
end
