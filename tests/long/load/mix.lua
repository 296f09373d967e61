-- Good, bad and hostile requests in turn, each once a round, and how many answers have which status.

local form = "Content-Type: application/x-www-form-urlencoded\r\n"

local function raw(method, path, lines, body)
    body = body or ""
    return method .. " " .. path .. " HTTP/1.1\r\nHost: localhost\r\n" .. lines ..
        "Content-Length: " .. #body .. "\r\n\r\n" .. body
end

local requests = {
    -- 200
    raw("GET", "/password", "Authorization: Bearer t0k3n\r\n"),
    raw("GET", "/scopes/items-me", "Authorization: Bearer " .. string.rep("a", 900) .. "\r\n"),
    raw("GET", "/password-optional", "Authorization: Basic YTpi\r\n"),
    raw("POST", "/form", form, "username=johndoe&password=s%C3%A9cret&scope=items+me"),
    raw("POST", "/client", form .. "Authorization: Basic d2ViOmh1bnRlcjI=\r\n", "grant_type=password"),
    raw("POST", "/form", form, "username=a&password=b" .. string.rep("&k=v", 10000)),
    raw("POST", "/form", form, "username=a&password=" .. string.rep("%41", 20000)),
    -- 401
    raw("GET", "/password", ""),
    raw("GET", "/password", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"),
    raw("GET", "/password", "Authorization: Basic " .. string.rep("A", 4000) .. "\r\n"),
    raw("GET", "/own", "Authorization: Bearer a\233b\r\n"),
    -- 400
    raw("POST", "/form", form, "username=johndoe"),
    raw("POST", "/form", form, "username=a&username=b&password=c"),
    raw("POST", "/form", form, "username=%ff&password=" .. string.rep("%", 30000)),
    raw("POST", "/form", form, string.rep("&", 60000)),
    raw("POST", "/client", form .. "Authorization: Basic ****\r\n", "client_id=a&client_id=b"),
}

local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

function init()
    turn, statuses = 0, {}
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end

function response(status)
    statuses[status] = (statuses[status] or 0) + 1
end

function done(summary)
    local errors = summary.errors
    io.write(string.format("requests %d errors %d",
        summary.requests, errors.connect + errors.read + errors.write + errors.timeout))
    for _, status in ipairs({ 200, 400, 401 }) do
        local count = 0
        for _, thread in ipairs(threads) do
            count = count + (thread:get("statuses")[status] or 0)
        end
        io.write(string.format(" %d: %d", status, count))
    end
    io.write("\n")
end
