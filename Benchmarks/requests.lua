-- Sends the requests of a file, whose lines are METHOD, path and body, with tabs between.
--
-- REQUESTS names the file. ORDER is "turn" or "random". In a line, {new} becomes a number that no line
-- had before, from 1,000 on, {now} that number again, and {old} the one of 1,000 numbers ago: 12
-- hexadecimal digits each.
local requests, count, texts = {}, 0, {}

for line in io.lines(os.getenv("REQUESTS")) do
    local method, path, body = line:match("^(%S+)\t([^\t]+)\t?(.*)$")
    count = count + 1
    requests[count] = { method = method, path = path, body = body ~= "" and body or nil }
end

local function fields(request)
    return request.body and { ["Content-Type"] = "application/json" } or {}
end

if count == 1 then
    -- wrk then makes the bytes once, and asks no function for each request.
    wrk.method, wrk.path, wrk.body = requests[1].method, requests[1].path, requests[1].body
    for name, value in pairs(fields(requests[1])) do
        wrk.headers[name] = value
    end
else
    local isRandom = os.getenv("ORDER") == "random"
    local made, behind, last = 999, 1000, 0

    local function format(request, path, body)
        local headers = fields(request)
        headers["Host"] = wrk.headers["Host"]
        return wrk.format(request.method, path, headers, body)
    end

    function init()
        math.randomseed(4711)
        for number, request in ipairs(requests) do
            if not (request.path .. (request.body or "")):find("{%a+}") then
                texts[number] = format(request, request.path, request.body)
            end
        end
    end

    function request()
        last = isRandom and math.random(count) or last % count + 1
        if texts[last] then return texts[last] end
        local request = requests[last]
        if (request.path .. (request.body or "")):find("{new}") then made = made + 1 end
        local words = {
            new = string.format("%012x", made),
            now = string.format("%012x", made),
            old = string.format("%012x", made - behind),
        }
        return format(
            request,
            (request.path:gsub("{(%a+)}", words)),
            request.body and request.body:gsub("{(%a+)}", words) or nil
        )
    end
end
