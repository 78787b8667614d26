import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Walks through the API with Java's HttpClient: {@code java Walk.java URL}.
 *
 * <p>On a new connection that client asks to go over to HTTP/2, which the server ignores. There is
 * no reader of JSON at hand; the answers are flat enough to be searched.
 */
public final class Walk {
    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final HttpClient client = HttpClient.newHttpClient();
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final String url;

    private Walk(String url) {
        this.url = url;
    }

    public static void main(String[] arguments) throws Exception {
        new Walk(arguments[0]).run();
    }

    private void run() throws Exception {
        var made = say("POST", "/goals", JSON,
                "{\"title\": \"A bike\", \"targetAmount\": \"1200.00\", \"currency\": \"USD\"}");
        out.printf("create %d %s %s %s%n", made.statusCode(), etag(made), member(made, "title"),
                member(made, "targetAmount"));
        String goal = "/goals/" + member(made, "id");

        for (int number = 1; number <= 6; number++) {
            record(goal, "income", number + "0.00", "2026-01-0" + number);
        }
        record(goal, "expense", "5.00", "2026-01-07");

        String cursor = "";
        while (cursor != null) {
            var page = get(goal + "/transactions?limit=3&sort=-date" + cursor);
            out.print("page " + page.statusCode());
            Matcher amounts = Pattern.compile("\"amount\":\"([^\"]*)").matcher(page.body());
            while (amounts.find()) {
                out.print(" " + amounts.group(1));
            }
            out.println();
            String next = member(page, "nextCursor");
            cursor = next.equals("null")
                    ? null
                    : "&cursor=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        }

        String patch = "{\"title\": \"Велосипед & co\", \"targetAmount\": \"1500.00\"}";
        var refused = say("PATCH", goal, MERGE_PATCH, patch, "If-Match", "\"1\"");
        out.printf("patch %d%n", refused.statusCode());
        var changed = say("PATCH", goal, MERGE_PATCH, patch, "If-Match", etag(get(goal)));
        out.printf("patch %d %s %s %s%n", changed.statusCode(), etag(changed),
                member(changed, "title"), member(changed, "targetAmount"));

        String path = goal + "/statistics?asOf=2026-02-01";
        var report = get(path);
        out.printf("statistics %d saved %s remaining %s of %s%n", report.statusCode(),
                member(report, "savedAmount"), member(report, "remainingAmount"),
                member(report, "transactionCount"));
        out.printf("statistics %d%n", get(path, "If-None-Match", etag(report)).statusCode());

        out.printf("delete %d%n", send(request(goal).DELETE()).statusCode());
        var gone = get(goal);
        out.printf("show %d %s%n", gone.statusCode(), member(gone, "code"));
    }

    private void record(String goal, String type, String amount, String date) throws Exception {
        var made = say("POST", goal + "/transactions", JSON, String.format(
                "{\"transactionType\": \"%s\", \"amount\": \"%s\", \"date\": \"%s\"}",
                type, amount, date));
        out.printf("record %d %s %s %s%n", made.statusCode(), etag(made),
                member(made, "transactionType"), member(made, "amount"));
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        return send(with(request(path), headers).GET());
    }

    private HttpResponse<String> say(String method, String path, String type, String body,
            String... headers) throws Exception {
        return send(with(request(path), headers).header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path));
    }

    private static HttpRequest.Builder with(HttpRequest.Builder request, String[] headers) {
        return headers.length == 0 ? request : request.headers(headers);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private static String etag(HttpResponse<String> answer) {
        return answer.headers().firstValue("ETag").orElseThrow();
    }

    /** The value of the first member of that name. */
    private static String member(HttpResponse<String> answer, String name) {
        Matcher member = Pattern.compile('"' + name + "\":\"?([^\",}]*)").matcher(answer.body());
        if (!member.find()) {
            throw new IllegalStateException("No " + name + " in " + answer.body());
        }
        return member.group(1);
    }
}
