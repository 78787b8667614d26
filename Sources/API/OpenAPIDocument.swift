// swift-format-ignore-file
// Generated from openapi.yaml by Scripts/embed-openapi.sh: edit that file, and run `make openapi`.

/// The contract, as it stands in `openapi.yaml`.
enum OpenAPIDocument {
    static let text = #"""
openapi: "3.1.0"
jsonSchemaDialect: "https://spec.openapis.org/oas/3.1/dialect/base"
info:
  title: Goalpost
  version: "0.1.0"
  summary: A self-hosted backend for savings goals.
  license:
    name: MIT
    identifier: MIT
  description: |-
    A person sets a goal (an amount, a planned date), records income and expenses against it, and
    asks how it stands.

    ## Conventions

    **Bodies** are UTF-8 JSON with camelCase names. A member or a query parameter that a resource
    does not know is a mistake, so that a misspelt name never passes unseen. The health endpoints
    ignore the query.

    **Money** is a decimal string in the goal's `currency` (ISO 4217). Answers always show exactly
    that currency's number of decimals (none for JPY, three for KWD). Requests may hold a string or
    a JSON number; it is read exactly from its digits. More decimals than the currency has, signs,
    blanks and exponents in strings are mistakes.

    **Days** are `YYYY-MM-DD` from 1900-01-01 to 2199-12-31. **Moments** are RFC 3339 UTC with
    milliseconds. **Time zones** are IANA names. **Ids** are UUIDs, written in lower case and read
    in either case.

    **Characters** are what a person counts as one (grapheme clusters), with at most 64 bytes of
    UTF-8 for each on average. `maxLength` counts code points, hence its larger figures. A string
    with more than 200 accents in a row is not read; in titles and categories, an invisible joiner
    (U+034F) is put after each 30 of them.

    **Errors** are RFC 9457 `application/problem+json`, whoever finds them: an endpoint, the router,
    the parser or a limit. `code` is a stable word; `errors` names all mistakes in the input,
    up to a hundred.

    **Concurrency**: each goal and each transaction has a `revision`, which is also its strong
    `ETag`. `If-None-Match` on GET answers 304 when nothing has changed. `If-Match` on PATCH and
    DELETE answers 412, with the current `ETag`, when something has. A condition that a method does
    not honor (either of them on POST, `If-None-Match` on PATCH and DELETE) answers 400.

    **Lists** come in pages. Follow `nextCursor` (or the `Link` header with `rel="next"`) until it
    is `null`: no row is shown twice and none that stays is left out, whatever is written meanwhile.

    **Creating twice**: a client may bring its own `id`. The same id with the same content answers
    200 with what is there; with other content it answers 409.

    **Retries**: every POST takes an `Idempotency-Key`. If the answer is lost, the same request with
    the same key gets it again, with `Idempotent-Replayed: true`, and nothing is done twice; another
    request with the key answers 422. An answer is kept for 24 hours, in the same transaction as what
    it tells of; of an account whose answers come to more than 64 MiB, the oldest go before. What was refused has changed nothing and is not kept. Many at once with one key wait
    for the first. The other methods need no key: sent again, a PATCH or DELETE changes nothing more.

    **Deletions** are known for 90 days unless the server is told otherwise: until then, what was
    deleted answers 410, and its id cannot be used again; afterwards it is as if it had never been.

    **Methods**: HEAD works wherever GET does. OPTIONS answers 204 with `Allow`; any other method
    that a path does not have answers 405 with `Allow`.

    **Access**: `Authorization: Bearer` with a token lets a client into the goals of one account, to
    which others are as if they did not exist. Without one that is good, the answer is 401; to a
    change with a token for reading alone, 403. A server that has never had a token needs none.

    **Limits**: where the owner of the server has set one, each token may make so many requests in a
    minute; `RateLimit` says how many are left. Past it, and for who keeps on trying tokens that are
    none, the answer is 429, and `Retry-After` says for how many seconds.

    **Web pages**: those whose origins the owner of the server has listed may read the answers (CORS).

    **Request ids**: `X-Request-Id` is taken from the request, or made, and sent back with every
    answer; it is what the log calls the request, and what a problem calls `requestId`.
servers:
  - url: /
    description: The server that this document comes from.
security:
  - AccessToken: []
  - {}
tags:
  - name: Goals
    description: What is saved for.
  - name: Transactions
    description: Income and expenses recorded against a goal.
  - name: Statistics
    description: How a goal stands.
  - name: Sync
    description: Many commands at once, and what others have changed.
  - name: Operation
    description: For those who run the server.
paths:
  /goals:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: listGoals
      tags: [Goals]
      summary: List goals
      parameters:
        - $ref: "#/components/parameters/Status"
        - $ref: "#/components/parameters/GoalSearch"
        - $ref: "#/components/parameters/CurrencyFilter"
        - $ref: "#/components/parameters/GoalSort"
        - $ref: "#/components/parameters/Limit"
        - $ref: "#/components/parameters/Cursor"
      responses:
        "200":
          description: A page of goals.
          headers:
            Link:
              $ref: "#/components/headers/Link"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/GoalPage"
              examples:
                GoalPage:
                  $ref: "#/components/examples/GoalPage"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        default:
          $ref: "#/components/responses/Refused"
    post:
      operationId: createGoal
      tags: [Goals]
      summary: Create a goal
      parameters:
        - $ref: "#/components/parameters/IdempotencyKey"
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/NewGoal"
            examples:
              NewGoal:
                $ref: "#/components/examples/NewGoal"
              NewGoalWithId:
                $ref: "#/components/examples/NewGoalWithId"
      responses:
        "200":
          description: >-
            The goal was already created with this `id` and this content; here it is as it stands
            now.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            Idempotent-Replayed:
              $ref: "#/components/headers/IdempotentReplayed"
            Location:
              $ref: "#/components/headers/Location"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Goal"
              examples:
                Goal:
                  $ref: "#/components/examples/Goal"
        "201":
          description: The goal was created.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            Idempotent-Replayed:
              $ref: "#/components/headers/IdempotentReplayed"
            Location:
              $ref: "#/components/headers/Location"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Goal"
              examples:
                Goal:
                  $ref: "#/components/examples/Goal"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "409":
          $ref: "#/components/responses/Conflict"
        "410":
          $ref: "#/components/responses/Gone"
        "415":
          $ref: "#/components/responses/UnsupportedMediaType"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "503":
          $ref: "#/components/responses/Unavailable"
        "507":
          $ref: "#/components/responses/InsufficientStorage"
        default:
          $ref: "#/components/responses/Refused"
  /goals/{goal}:
    parameters:
      - $ref: "#/components/parameters/GoalID"
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: showGoal
      tags: [Goals]
      summary: Show a goal
      parameters:
        - $ref: "#/components/parameters/IfNoneMatch"
        - $ref: "#/components/parameters/IfMatch"
      responses:
        "200":
          description: The goal.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Goal"
              examples:
                Goal:
                  $ref: "#/components/examples/Goal"
        "304":
          $ref: "#/components/responses/NotModified"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "404":
          $ref: "#/components/responses/NotFound"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        default:
          $ref: "#/components/responses/Refused"
    patch:
      operationId: updateGoal
      tags: [Goals]
      summary: Change a goal
      description: >-
        A JSON Merge Patch (RFC 7396): a member that is missing stays as it is, null clears it. A
        patch that changes nothing leaves the revision as it is. Status moves that are not allowed
        answer 409, naming those that are.
      parameters:
        - $ref: "#/components/parameters/IfMatch"
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/GoalChanges"
            examples:
              GoalChanges:
                $ref: "#/components/examples/GoalChanges"
          application/merge-patch+json:
            schema:
              $ref: "#/components/schemas/GoalChanges"
            examples:
              GoalChanges:
                $ref: "#/components/examples/GoalChanges"
      responses:
        "200":
          description: The goal as it is now.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Goal"
              examples:
                Goal:
                  $ref: "#/components/examples/Goal"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "404":
          $ref: "#/components/responses/NotFound"
        "409":
          $ref: "#/components/responses/Conflict"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "415":
          $ref: "#/components/responses/UnsupportedMediaType"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "503":
          $ref: "#/components/responses/Unavailable"
        "507":
          $ref: "#/components/responses/InsufficientStorage"
        default:
          $ref: "#/components/responses/Refused"
    delete:
      operationId: deleteGoal
      tags: [Goals]
      summary: Delete a goal and its transactions
      description: >-
        Deleted things stay deleted: the goal and all below it answer 410 from then on.
      parameters:
        - $ref: "#/components/parameters/IfMatch"
      responses:
        "204":
          $ref: "#/components/responses/Deleted"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "404":
          $ref: "#/components/responses/NotFound"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "503":
          $ref: "#/components/responses/Unavailable"
        "507":
          $ref: "#/components/responses/InsufficientStorage"
        default:
          $ref: "#/components/responses/Refused"
  /goals/{goal}/transactions:
    parameters:
      - $ref: "#/components/parameters/GoalID"
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: listTransactions
      tags: [Transactions]
      summary: List the transactions of a goal
      parameters:
        - $ref: "#/components/parameters/TransactionType"
        - $ref: "#/components/parameters/CategoryFilter"
        - $ref: "#/components/parameters/From"
        - $ref: "#/components/parameters/To"
        - $ref: "#/components/parameters/TransactionSearch"
        - $ref: "#/components/parameters/TransactionSort"
        - $ref: "#/components/parameters/Limit"
        - $ref: "#/components/parameters/Cursor"
      responses:
        "200":
          description: A page of transactions.
          headers:
            Link:
              $ref: "#/components/headers/Link"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/TransactionPage"
              examples:
                TransactionPage:
                  $ref: "#/components/examples/TransactionPage"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "404":
          $ref: "#/components/responses/NotFound"
        "410":
          $ref: "#/components/responses/Gone"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        default:
          $ref: "#/components/responses/Refused"
    post:
      operationId: recordTransaction
      tags: [Transactions]
      summary: Record a transaction
      description: >-
        Spending more than is saved is allowed: the record follows life. An archived goal takes no
        new transactions (409).
      parameters:
        - $ref: "#/components/parameters/IdempotencyKey"
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/NewTransaction"
            examples:
              NewTransaction:
                $ref: "#/components/examples/NewTransaction"
              NewTransactionWithId:
                $ref: "#/components/examples/NewTransactionWithId"
      responses:
        "200":
          description: >-
            The transaction was already recorded with this `id` and this content; here it is as it
            stands now.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            Idempotent-Replayed:
              $ref: "#/components/headers/IdempotentReplayed"
            Location:
              $ref: "#/components/headers/Location"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Transaction"
              examples:
                Transaction:
                  $ref: "#/components/examples/Transaction"
        "201":
          description: The transaction was recorded.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            Idempotent-Replayed:
              $ref: "#/components/headers/IdempotentReplayed"
            Location:
              $ref: "#/components/headers/Location"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Transaction"
              examples:
                Transaction:
                  $ref: "#/components/examples/Transaction"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "404":
          $ref: "#/components/responses/NotFound"
        "409":
          $ref: "#/components/responses/Conflict"
        "410":
          $ref: "#/components/responses/Gone"
        "415":
          $ref: "#/components/responses/UnsupportedMediaType"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "503":
          $ref: "#/components/responses/Unavailable"
        "507":
          $ref: "#/components/responses/InsufficientStorage"
        default:
          $ref: "#/components/responses/Refused"
  /goals/{goal}/transactions/{transaction}:
    parameters:
      - $ref: "#/components/parameters/GoalID"
      - $ref: "#/components/parameters/TransactionID"
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: showTransaction
      tags: [Transactions]
      summary: Show a transaction
      parameters:
        - $ref: "#/components/parameters/IfNoneMatch"
        - $ref: "#/components/parameters/IfMatch"
      responses:
        "200":
          description: The transaction.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Transaction"
              examples:
                Transaction:
                  $ref: "#/components/examples/Transaction"
        "304":
          $ref: "#/components/responses/NotModified"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "404":
          $ref: "#/components/responses/NotFound"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        default:
          $ref: "#/components/responses/Refused"
    patch:
      operationId: updateTransaction
      tags: [Transactions]
      summary: Change a transaction
      description: >-
        A JSON Merge Patch (RFC 7396): a member that is missing stays as it is, null clears it. The
        goal's saved amount, its count and its revision change with it.
      parameters:
        - $ref: "#/components/parameters/IfMatch"
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/TransactionChanges"
            examples:
              TransactionChanges:
                $ref: "#/components/examples/TransactionChanges"
          application/merge-patch+json:
            schema:
              $ref: "#/components/schemas/TransactionChanges"
            examples:
              TransactionChanges:
                $ref: "#/components/examples/TransactionChanges"
      responses:
        "200":
          description: The transaction as it is now.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Transaction"
              examples:
                Transaction:
                  $ref: "#/components/examples/Transaction"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "404":
          $ref: "#/components/responses/NotFound"
        "409":
          $ref: "#/components/responses/Conflict"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "415":
          $ref: "#/components/responses/UnsupportedMediaType"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "503":
          $ref: "#/components/responses/Unavailable"
        "507":
          $ref: "#/components/responses/InsufficientStorage"
        default:
          $ref: "#/components/responses/Refused"
    delete:
      operationId: deleteTransaction
      tags: [Transactions]
      summary: Delete a transaction
      parameters:
        - $ref: "#/components/parameters/IfMatch"
      responses:
        "204":
          $ref: "#/components/responses/Deleted"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "404":
          $ref: "#/components/responses/NotFound"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "503":
          $ref: "#/components/responses/Unavailable"
        "507":
          $ref: "#/components/responses/InsufficientStorage"
        default:
          $ref: "#/components/responses/Refused"
  /goals/{goal}/statistics:
    parameters:
      - $ref: "#/components/parameters/GoalID"
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: showStatistics
      tags: [Statistics]
      summary: Show how a goal stands
      description: >-
        A snapshot, computed once for a revision of the goal, a day and a filter. The filter chooses
        what is shown (the counts, totals, categories and the series' income and expense); it never
        changes the goal's facts.
      parameters:
        - $ref: "#/components/parameters/AsOf"
        - $ref: "#/components/parameters/TimeZone"
        - $ref: "#/components/parameters/OnlyExpenses"
        - $ref: "#/components/parameters/StatisticsFrom"
        - $ref: "#/components/parameters/StatisticsTo"
        - $ref: "#/components/parameters/StatisticsCategory"
        - $ref: "#/components/parameters/IfNoneMatch"
        - $ref: "#/components/parameters/IfMatch"
      responses:
        "200":
          description: The snapshot.
          headers:
            ETag:
              $ref: "#/components/headers/ETag"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Statistics"
              examples:
                Statistics:
                  $ref: "#/components/examples/Statistics"
        "304":
          $ref: "#/components/responses/NotModified"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "404":
          $ref: "#/components/responses/NotFound"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        default:
          $ref: "#/components/responses/Refused"
  /batch:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    post:
      operationId: runBatch
      tags: [Sync]
      summary: Carry out many commands, all of them or none
      description: >-
        Up to 1,000 commands over any goals, in their order and in one transaction; later ones see
        what earlier ones did. If one is refused, its status is that of the batch, `errors` says which
        one (`/commands/N`, counted from 0), and nothing of the batch is kept. The bodies of all
        results may come to 2 MiB, some 4,000 goals without long notes.
      parameters:
        - $ref: "#/components/parameters/IdempotencyKey"
      requestBody:
        required: true
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/Batch"
            examples:
              Batch:
                $ref: "#/components/examples/Batch"
      responses:
        "200":
          description: All was carried out. The results are in the order of the commands.
          headers:
            Idempotent-Replayed:
              $ref: "#/components/headers/IdempotentReplayed"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/BatchResults"
              examples:
                BatchResults:
                  $ref: "#/components/examples/BatchResults"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "403":
          $ref: "#/components/responses/Forbidden"
        "404":
          $ref: "#/components/responses/NotFound"
        "409":
          $ref: "#/components/responses/Conflict"
        "410":
          $ref: "#/components/responses/Gone"
        "412":
          $ref: "#/components/responses/PreconditionFailed"
        "415":
          $ref: "#/components/responses/UnsupportedMediaType"
        "422":
          $ref: "#/components/responses/Invalid"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        "503":
          $ref: "#/components/responses/Unavailable"
        "507":
          $ref: "#/components/responses/InsufficientStorage"
        default:
          $ref: "#/components/responses/Refused"
  /changes:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: listChanges
      tags: [Sync]
      summary: What has changed since
      description: >-
        What has changed in the account, in the order of the commits; each thing comes once, as it is
        now, at the place of its last change, and deletions come, too. Who follows `next` from the
        start ends with exactly what the server has, whatever is written meanwhile. A transaction may
        come before its goal does. The deletion of a goal stands for that of all its transactions.
      parameters:
        - $ref: "#/components/parameters/Since"
        - $ref: "#/components/parameters/ChangeLimit"
      responses:
        "200":
          description: Some changes.
          headers:
            Link:
              $ref: "#/components/headers/Link"
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/ChangePage"
              examples:
                ChangePage:
                  $ref: "#/components/examples/ChangePage"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "410":
          $ref: "#/components/responses/ResyncRequired"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        default:
          $ref: "#/components/responses/Refused"
  /events:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: followChanges
      tags: [Sync]
      summary: What changes, as it happens
      description: >-
        The same changes as `/changes` has, as server-sent events, without end. The `id` of an event
        is a `since` for both; `data` is a `Change` on one line. A comment comes when there was
        nothing for 15 s. A client that does not read is cut off, and goes on where it was by
        `Last-Event-ID` or `since`. When the changes since then are no longer known, an event
        `resync` ends the stream: drop what you have, and read from the start. `/changes` and
        `/events` share their places, so a client may go from one to the other at any point.
      parameters:
        - $ref: "#/components/parameters/Since"
        - $ref: "#/components/parameters/LastEventID"
      responses:
        "200":
          description: Events, until one side ends it.
          headers:
            RateLimit:
              $ref: "#/components/headers/RateLimit"
            RateLimit-Policy:
              $ref: "#/components/headers/RateLimitPolicy"
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            text/event-stream:
              schema:
                type: string
              examples:
                Events:
                  $ref: "#/components/examples/Events"
        "400":
          $ref: "#/components/responses/Unreadable"
        "401":
          $ref: "#/components/responses/Unauthorized"
        "429":
          $ref: "#/components/responses/TooManyRequests"
        default:
          $ref: "#/components/responses/Refused"
  /livez:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: livez
      security: []
      tags: [Operation]
      summary: Is the process up?
      description: >-
        Answers as long as the server answers at all.
      responses:
        "200":
          description: Yes.
          headers:
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Health"
              examples:
                Health:
                  $ref: "#/components/examples/Health"
        default:
          $ref: "#/components/responses/Refused"
  /readyz:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: readyz
      security: []
      tags: [Operation]
      summary: Can the server do its work?
      description: >-
        Yes when the store is migrated and can be written to, and the server is not stopping.
      parameters:
        - $ref: "#/components/parameters/Verbose"
      responses:
        "200":
          description: Yes.
          headers:
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Health"
              examples:
                Health:
                  $ref: "#/components/examples/Health"
        "503":
          $ref: "#/components/responses/Unavailable"
        default:
          $ref: "#/components/responses/Refused"
  /healthz:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: healthz
      security: []
      tags: [Operation]
      summary: Can the server do its work?
      description: >-
        The same as `/readyz`.
      parameters:
        - $ref: "#/components/parameters/Verbose"
      responses:
        "200":
          description: Yes.
          headers:
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Health"
              examples:
                Health:
                  $ref: "#/components/examples/Health"
        "503":
          $ref: "#/components/responses/Unavailable"
        default:
          $ref: "#/components/responses/Refused"
  /openapi.yaml:
    parameters:
      - $ref: "#/components/parameters/RequestId"
    get:
      operationId: showContract
      security: []
      tags: [Operation]
      summary: This document
      responses:
        "200":
          description: This document.
          headers:
            X-Request-Id:
              $ref: "#/components/headers/RequestId"
          content:
            application/yaml:
              schema:
                type: string
              example: "openapi: \"3.1.0\""
        default:
          $ref: "#/components/responses/Refused"
components:
  securitySchemes:
    AccessToken:
      type: http
      scheme: bearer
      bearerFormat: gp_<id>_<secret>
      description: >-
        A token that the owner of the server has made for an account. A server that has never had a
        token serves its default account to everybody on its own machine.
  parameters:
    GoalID:
      name: goal
      in: path
      required: true
      description: >-
        The id of a goal.
      schema:
        type: string
        format: uuid
        pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
      example: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
    TransactionID:
      name: transaction
      in: path
      required: true
      description: >-
        The id of one of the goal's transactions.
      schema:
        type: string
        format: uuid
        pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
      example: 01a318af-a020-7c44-9b1d-2e8f7a6b5c4d
    RequestId:
      name: X-Request-Id
      in: header
      description: >-
        What the log and the answer call this request; made by the server when absent or not 1 to
        128 visible ASCII characters.
      schema:
        type: string
        minLength: 1
        maxLength: 128
        pattern: "^[!-~]+$"
      example: phone-7f3a-0042
    IdempotencyKey:
      name: Idempotency-Key
      in: header
      description: >-
        A name of the client's own for this one request, such as a random UUID: 1 to 255 visible
        characters of ASCII, without quotes or in double quotes.
      schema:
        type: string
        minLength: 1
        maxLength: 257
      example: 0d3f7f0c-7c39-4d0b-a4f3-3e1d3b6c9f11
    Since:
      name: since
      in: query
      description: >-
        The place to go on from: a `next` of `/changes` or an id of `/events`. Without it, from the
        start.
      schema:
        type: string
        minLength: 1
      example: AYF3nK1mM0Q2AAAAAAAAABEAAAAAAAAAEeEJ_f1oR2s7
    LastEventID:
      name: Last-Event-ID
      in: header
      description: >-
        The id of the last event that the client got, which a browser sends by itself when it connects
        again. It comes before `since`.
      schema:
        type: string
      example: AYF3nK1mM0Q2AAAAAAAAABEAAAAAAAAAEeEJ_f1oR2s7
    ChangeLimit:
      name: limit
      in: query
      description: >-
        How many changes come at most. Fewer come if their texts come to 256 KiB; `hasMore` alone
        tells that there are no more.
      schema:
        type: integer
        minimum: 1
        maximum: 200
        default: 50
      example: 200
    IfNoneMatch:
      name: If-None-Match
      in: header
      description: >-
        Entity tags that the client has, or `*`. One that is current answers 304.
      schema:
        type: string
      example: '"3"'
    IfMatch:
      name: If-Match
      in: header
      description: >-
        Entity tags that the request is meant for, or `*`. If none is current, the answer is 412.
        Compared strongly, so a weak tag never matches.
      schema:
        type: string
      example: '"3"'
    Verbose:
      name: verbose
      in: query
      description: >-
        Whether to show what the server has counted: connections, refusals, time-outs. Its value does
        not matter.
      allowEmptyValue: true
      schema:
        type: string
      example: ""
    Limit:
      name: limit
      in: query
      description: >-
        How many rows a page has at most. It ends sooner if its texts come to 256 KiB; `nextCursor`
        alone tells the last page.
      schema:
        type: integer
        minimum: 1
        maximum: 200
        default: 50
      example: 50
    Cursor:
      name: cursor
      in: query
      description: >-
        Where the page begins: the `nextCursor` of the page before. Opaque, and bound to the account,
        the sort and the filters it came with.
      schema:
        type: string
        minLength: 1
      example: AQIDBAUGBwg
    Status:
      name: status
      in: query
      description: >-
        Only goals with one of these statuses.
      style: form
      explode: false
      schema:
        type: array
        minItems: 1
        items:
          $ref: "#/components/schemas/Status"
      example: [active, paused]
    GoalSearch:
      name: search
      in: query
      description: >-
        Only goals whose title or note contains this text, regardless of case, accents, width and
        composition. At most 200 characters. Trimmed; empty means no condition.
      schema:
        type: string
        maxLength: 1000
      example: bike
    CurrencyFilter:
      name: currency
      in: query
      description: >-
        Only goals in this currency.
      schema:
        $ref: "#/components/schemas/Currency"
      example: EUR
    GoalSort:
      name: sort
      in: query
      description: >-
        The order of the goals. Goals without a planned date come last either way.
      schema:
        type: string
        enum:
          - updatedAt
          - "-updatedAt"
          - createdAt
          - "-createdAt"
          - title
          - "-title"
          - plannedCompletionDate
          - "-plannedCompletionDate"
        default: "-updatedAt"
      example: plannedCompletionDate
    TransactionType:
      name: transactionType
      in: query
      description: >-
        Only income, or only expenses.
      schema:
        $ref: "#/components/schemas/TransactionType"
      example: expense
    CategoryFilter:
      name: category
      in: query
      description: >-
        Only this category, exactly; empty means those without one.
      allowEmptyValue: true
      schema:
        type: string
      example: repairs
    From:
      name: from
      in: query
      description: >-
        Only what is dated on this day or later.
      schema:
        $ref: "#/components/schemas/Day"
      example: 2027-01-01
    To:
      name: to
      in: query
      description: >-
        Only what is dated on this day or earlier.
      schema:
        $ref: "#/components/schemas/Day"
      example: 2027-01-31
    TransactionSearch:
      name: search
      in: query
      description: >-
        Only transactions whose note or category contains this text, regardless of case, accents,
        width and composition. At most 200 characters. Trimmed; empty means no condition.
      schema:
        type: string
        maxLength: 1000
      example: brake
    TransactionSort:
      name: sort
      in: query
      description: >-
        The order of the transactions.
      schema:
        type: string
        enum: [date, "-date", amount, "-amount", createdAt, "-createdAt"]
        default: "-date"
      example: "-amount"
    AsOf:
      name: asOf
      in: query
      description: >-
        The day to look from. Today in the time zone by default.
      schema:
        $ref: "#/components/schemas/Day"
      example: 2027-01-15
    TimeZone:
      name: timeZone
      in: query
      description: >-
        The IANA time zone that decides which day today is. The server's by default.
      schema:
        type: string
        minLength: 1
      example: Europe/Warsaw
    OnlyExpenses:
      name: onlyExpenses
      in: query
      description: >-
        Whether to show expenses only.
      schema:
        type: boolean
        default: false
      example: true
    StatisticsFrom:
      name: from
      in: query
      description: >-
        Show only what is dated on this day or later, and cut the series there.
      schema:
        $ref: "#/components/schemas/Day"
      example: 2027-01-01
    StatisticsTo:
      name: to
      in: query
      description: >-
        Show only what is dated on this day or earlier, and cut the series there.
      schema:
        $ref: "#/components/schemas/Day"
      example: 2027-01-31
    StatisticsCategory:
      name: category
      in: query
      description: >-
        Show only this category, exactly; empty means what has none.
      allowEmptyValue: true
      schema:
        type: string
      example: repairs
  headers:
    RequestId:
      description: >-
        What the log calls this request.
      schema:
        type: string
        pattern: "^[!-~]{1,128}$"
      example: phone-7f3a-0042
    ETag:
      description: >-
        The entity tag of what is shown; for a goal or a transaction its revision. Strong.
      schema:
        type: string
        pattern: '^"[^"]+"$'
      example: '"3"'
    Location:
      description: >-
        Where the new thing is.
      schema:
        type: string
        format: uri-reference
      example: /goals/01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
    IdempotentReplayed:
      description: >-
        That this is the answer which was given to this request before, under the same key.
      schema:
        type: string
        const: "true"
      example: "true"
    Link:
      description: >-
        The next page, with `rel="next"`; absent on the last one.
      schema:
        type: string
        pattern: '^<.+>; rel="next"$'
      example: '</goals?limit=50&cursor=AQIDBAUGBwg>; rel="next"'
    Allow:
      description: >-
        The methods that the path has.
      schema:
        type: string
      example: GET, HEAD, OPTIONS, POST
    Accept:
      description: >-
        The media types that a body may have here.
      schema:
        type: string
      example: application/json
    RetryAfter:
      description: >-
        Seconds after which to try again.
      schema:
        type: string
        pattern: "^[0-9]+$"
      example: "1"
    WWWAuthenticate:
      description: >-
        What lets a request in: a Bearer token (RFC 6750), and what was wrong with the one given.
      schema:
        type: string
        pattern: '^Bearer realm="goalpost"(, error="(invalid_token|insufficient_scope)")?$'
      example: 'Bearer realm="goalpost", error="invalid_token"'
    RateLimitPolicy:
      description: >-
        How many requests the access token may make in how many seconds
        (draft-ietf-httpapi-ratelimit-headers); absent where there is no limit.
      schema:
        type: string
        pattern: '^"token";q=[0-9]+;w=60$'
      example: '"token";q=600;w=60'
    RateLimit:
      description: >-
        How many requests the access token has left, and in how many seconds it has all of them
        again; absent where there is no limit.
      schema:
        type: string
        pattern: '^"token";r=[0-9]+;t=[0-9]+$'
      example: '"token";r=594;t=1'
  responses:
    Deleted:
      description: It is deleted.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
    NotModified:
      description: What the client has is current.
      headers:
        ETag:
          $ref: "#/components/headers/ETag"
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
    Unreadable:
      description: >-
        The request cannot be read: its JSON, its query or its cursor.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            MalformedJSON:
              $ref: "#/components/examples/MalformedJSON"
            UnknownParameter:
              $ref: "#/components/examples/UnknownParameter"
            InvalidCursor:
              $ref: "#/components/examples/InvalidCursor"
    Unauthorized:
      description: >-
        The request has no access token that lets it in; `WWW-Authenticate` says so in the words of
        RFC 6750.
      headers:
        WWW-Authenticate:
          $ref: "#/components/headers/WWWAuthenticate"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            Unauthorized:
              $ref: "#/components/examples/Unauthorized"
    Forbidden:
      description: >-
        The access token is for reading alone.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        WWW-Authenticate:
          $ref: "#/components/headers/WWWAuthenticate"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            InsufficientScope:
              $ref: "#/components/examples/InsufficientScope"
    TooManyRequests:
      description: >-
        The access token has made as many requests as it may for now, or too many with wrong ones
        came from this address.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        Retry-After:
          $ref: "#/components/headers/RetryAfter"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            RateLimited:
              $ref: "#/components/examples/RateLimited"
    NotFound:
      description: >-
        There is no such thing.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            NotFound:
              $ref: "#/components/examples/NotFound"
    Conflict:
      description: >-
        The state of things forbids it.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            StatusMoveNotAllowed:
              $ref: "#/components/examples/StatusMoveNotAllowed"
            GoalArchived:
              $ref: "#/components/examples/GoalArchived"
            IdentifierTaken:
              $ref: "#/components/examples/IdentifierTaken"
            GoalLimitReached:
              $ref: "#/components/examples/GoalLimitReached"
            TransactionLimitReached:
              $ref: "#/components/examples/TransactionLimitReached"
    Gone:
      description: >-
        It was deleted.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            Gone:
              $ref: "#/components/examples/Gone"
    ResyncRequired:
      description: >-
        The changes since then are no longer known: a deletion among them is older than deletions are
        kept, or a backup was put back. Drop what you have, and read from the start.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            ResyncRequired:
              $ref: "#/components/examples/ResyncRequired"
    PreconditionFailed:
      description: >-
        It has changed since; `ETag` says what it is now.
      headers:
        ETag:
          $ref: "#/components/headers/ETag"
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            PreconditionFailed:
              $ref: "#/components/examples/PreconditionFailed"
    UnsupportedMediaType:
      description: >-
        The body is of another type than those that `Accept` names.
      headers:
        Accept:
          $ref: "#/components/headers/Accept"
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            UnsupportedMediaType:
              $ref: "#/components/examples/UnsupportedMediaType"
    Invalid:
      description: >-
        The request can be read, but is not valid. `errors` names every mistake.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            ValidationFailed:
              $ref: "#/components/examples/ValidationFailed"
            IdempotencyKeyReused:
              $ref: "#/components/examples/IdempotencyKeyReused"
            BatchRefused:
              $ref: "#/components/examples/BatchRefused"
            BatchTooLarge:
              $ref: "#/components/examples/BatchTooLarge"
    Unavailable:
      description: >-
        The server is overloaded or stopping, or its store cannot be written to just now.
      headers:
        Retry-After:
          $ref: "#/components/headers/RetryAfter"
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            Unavailable:
              $ref: "#/components/examples/Unavailable"
    InsufficientStorage:
      description: >-
        The disk is full.
      headers:
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            InsufficientStorage:
              $ref: "#/components/examples/InsufficientStorage"
    Refused:
      description: >-
        Any request may also be refused for what it is: 400 (malformed), 403 (without tokens, a server
        on this machine alone answers to no other host's name), 405 (method not allowed,
        with `Allow`), 408 (too slow), 413 (body too large), 414 (target too long), 417 (unknown
        expectation), 431 (head too large), 500 (an error of the server's own), 501 (unknown method
        or transfer coding), 503 (overloaded or stopping, with `Retry-After`), 505 (HTTP version).
      headers:
        Allow:
          $ref: "#/components/headers/Allow"
        Retry-After:
          $ref: "#/components/headers/RetryAfter"
        RateLimit:
          $ref: "#/components/headers/RateLimit"
        RateLimit-Policy:
          $ref: "#/components/headers/RateLimitPolicy"
        X-Request-Id:
          $ref: "#/components/headers/RequestId"
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
          examples:
            MethodNotAllowed:
              $ref: "#/components/examples/MethodNotAllowed"
            ContentTooLarge:
              $ref: "#/components/examples/ContentTooLarge"
            InternalError:
              $ref: "#/components/examples/InternalError"
  schemas:
    Goal:
      type: object
      additionalProperties: false
      required:
        - id
        - title
        - note
        - currency
        - targetAmount
        - startingAmount
        - plannedCompletionDate
        - status
        - completedAt
        - savedAmount
        - remainingAmount
        - transactionCount
        - revision
        - createdAt
        - updatedAt
      properties:
        id:
          $ref: "#/components/schemas/ID"
        title:
          $ref: "#/components/schemas/Title"
        note:
          $ref: "#/components/schemas/Note"
        currency:
          $ref: "#/components/schemas/Currency"
        targetAmount:
          description: What is to be saved; null for an open-ended goal.
          oneOf:
            - $ref: "#/components/schemas/PositiveAmount"
            - type: "null"
        startingAmount:
          description: What was saved before the first transaction.
          $ref: "#/components/schemas/Amount"
        plannedCompletionDate:
          oneOf:
            - $ref: "#/components/schemas/Day"
            - type: "null"
        status:
          $ref: "#/components/schemas/Status"
        completedAt:
          description: When the goal was completed; null unless it is.
          oneOf:
            - $ref: "#/components/schemas/Moment"
            - type: "null"
        savedAmount:
          description: Starting amount + all income - all expenses.
          $ref: "#/components/schemas/Balance"
        remainingAmount:
          description: Target - saved; negative beyond the target, null without one.
          oneOf:
            - $ref: "#/components/schemas/Balance"
            - type: "null"
        transactionCount:
          type: integer
          minimum: 0
        revision:
          $ref: "#/components/schemas/Revision"
        createdAt:
          $ref: "#/components/schemas/Moment"
        updatedAt:
          $ref: "#/components/schemas/Moment"
    NewGoal:
      type: object
      additionalProperties: false
      required: [title]
      properties:
        id:
          $ref: "#/components/schemas/ClientID"
        title:
          $ref: "#/components/schemas/Title"
        note:
          $ref: "#/components/schemas/Note"
        currency:
          description: Set once. The server's default currency if missing.
          $ref: "#/components/schemas/Currency"
        targetAmount:
          oneOf:
            - $ref: "#/components/schemas/GivenPositiveAmount"
            - type: "null"
        startingAmount:
          $ref: "#/components/schemas/GivenAmount"
        plannedCompletionDate:
          oneOf:
            - $ref: "#/components/schemas/Day"
            - type: "null"
    GoalChanges:
      type: object
      additionalProperties: false
      properties:
        title:
          $ref: "#/components/schemas/Title"
        note:
          description: Null makes it empty.
          oneOf:
            - $ref: "#/components/schemas/Note"
            - type: "null"
        targetAmount:
          oneOf:
            - $ref: "#/components/schemas/GivenPositiveAmount"
            - type: "null"
        startingAmount:
          description: Null makes it zero.
          oneOf:
            - $ref: "#/components/schemas/GivenAmount"
            - type: "null"
        plannedCompletionDate:
          oneOf:
            - $ref: "#/components/schemas/Day"
            - type: "null"
        status:
          $ref: "#/components/schemas/Status"
    GoalPage:
      type: object
      additionalProperties: false
      required: [items, nextCursor]
      properties:
        items:
          type: array
          maxItems: 200
          items:
            $ref: "#/components/schemas/Goal"
        nextCursor:
          $ref: "#/components/schemas/NextCursor"
    Transaction:
      type: object
      additionalProperties: false
      required:
        - id
        - goalId
        - transactionType
        - amount
        - date
        - category
        - note
        - revision
        - createdAt
        - updatedAt
      properties:
        id:
          $ref: "#/components/schemas/ID"
        goalId:
          $ref: "#/components/schemas/ID"
        transactionType:
          $ref: "#/components/schemas/TransactionType"
        amount:
          $ref: "#/components/schemas/PositiveAmount"
        date:
          $ref: "#/components/schemas/Day"
        category:
          oneOf:
            - $ref: "#/components/schemas/Category"
            - type: "null"
        note:
          $ref: "#/components/schemas/Note"
        revision:
          $ref: "#/components/schemas/Revision"
        createdAt:
          $ref: "#/components/schemas/Moment"
        updatedAt:
          $ref: "#/components/schemas/Moment"
    NewTransaction:
      type: object
      additionalProperties: false
      required: [transactionType, amount]
      properties:
        id:
          $ref: "#/components/schemas/ClientID"
        transactionType:
          $ref: "#/components/schemas/TransactionType"
        amount:
          $ref: "#/components/schemas/GivenPositiveAmount"
        date:
          description: Today in the server's time zone if missing.
          $ref: "#/components/schemas/Day"
        category:
          oneOf:
            - $ref: "#/components/schemas/Category"
            - type: "null"
        note:
          $ref: "#/components/schemas/Note"
    TransactionChanges:
      type: object
      additionalProperties: false
      properties:
        transactionType:
          $ref: "#/components/schemas/TransactionType"
        amount:
          $ref: "#/components/schemas/GivenPositiveAmount"
        date:
          $ref: "#/components/schemas/Day"
        category:
          oneOf:
            - $ref: "#/components/schemas/Category"
            - type: "null"
        note:
          description: Null makes it empty.
          oneOf:
            - $ref: "#/components/schemas/Note"
            - type: "null"
    TransactionPage:
      type: object
      additionalProperties: false
      required: [items, nextCursor]
      properties:
        items:
          type: array
          maxItems: 200
          items:
            $ref: "#/components/schemas/Transaction"
        nextCursor:
          $ref: "#/components/schemas/NextCursor"
    Batch:
      type: object
      additionalProperties: false
      required: [commands]
      properties:
        commands:
          type: array
          minItems: 1
          maxItems: 1000
          items:
            $ref: "#/components/schemas/BatchCommand"
    BatchCommand:
      type: object
      additionalProperties: false
      required: [method, path]
      properties:
        method:
          type: string
          enum: [POST, PATCH, DELETE]
        path:
          description: The path of a goal, a transaction or a list of them, without a query.
          type: string
          pattern: "^/[^?]*$"
        body:
          description: The body that the command would have alone.
          anyOf:
            - $ref: "#/components/schemas/NewGoal"
            - $ref: "#/components/schemas/GoalChanges"
            - $ref: "#/components/schemas/NewTransaction"
            - $ref: "#/components/schemas/TransactionChanges"
        ifMatch:
          description: What would be its `If-Match` alone.
          type: string
    BatchResults:
      type: object
      additionalProperties: false
      required: [results]
      properties:
        results:
          type: array
          minItems: 1
          maxItems: 1000
          items:
            $ref: "#/components/schemas/BatchResult"
    BatchResult:
      description: What the command would have been answered alone.
      type: object
      additionalProperties: false
      required: [status, headers, body]
      properties:
        status:
          type: integer
          enum: [200, 201, 204]
        headers:
          type: object
          additionalProperties: false
          properties:
            ETag:
              type: string
            Location:
              type: string
        body:
          oneOf:
            - $ref: "#/components/schemas/Goal"
            - $ref: "#/components/schemas/Transaction"
            - type: "null"
    Change:
      type: object
      additionalProperties: false
      required: [type, id, revision, deleted]
      properties:
        type:
          type: string
          enum: [goal, transaction]
        id:
          $ref: "#/components/schemas/ID"
        goalId:
          description: The goal of a transaction.
          $ref: "#/components/schemas/ID"
        revision:
          $ref: "#/components/schemas/Revision"
        deleted:
          type: boolean
        goal:
          $ref: "#/components/schemas/Goal"
        transaction:
          $ref: "#/components/schemas/Transaction"
    ChangePage:
      type: object
      additionalProperties: false
      required: [changes, next, hasMore]
      properties:
        changes:
          type: array
          maxItems: 200
          items:
            $ref: "#/components/schemas/Change"
        next:
          description: The `since` to go on from.
          type: string
          minLength: 1
        hasMore:
          description: Whether there is more already.
          type: boolean
    Statistics:
      type: object
      additionalProperties: false
      required:
        - goalId
        - revision
        - asOf
        - timeZone
        - currency
        - targetAmount
        - savedAmount
        - remainingAmount
        - progress
        - daysUntilCompletion
        - requiredMonthlySaving
        - outlook
        - averageMonthlySaving
        - projectedCompletionDate
        - transactionCount
        - incomeCount
        - expenseCount
        - incomeTotal
        - expenseTotal
        - maxExpenseAmount
        - series
        - categories
        - projection
      properties:
        goalId:
          $ref: "#/components/schemas/ID"
        revision:
          description: The goal's revision that this is a snapshot of.
          $ref: "#/components/schemas/Revision"
        asOf:
          $ref: "#/components/schemas/Day"
        timeZone:
          type: string
          minLength: 1
        currency:
          $ref: "#/components/schemas/Currency"
        targetAmount:
          oneOf:
            - $ref: "#/components/schemas/PositiveAmount"
            - type: "null"
        savedAmount:
          description: >-
            Starting amount + all income - all expenses, whatever their date or the filter.
          $ref: "#/components/schemas/Balance"
        remainingAmount:
          description: Target - saved; negative beyond the target, null without one.
          oneOf:
            - $ref: "#/components/schemas/Balance"
            - type: "null"
        progress:
          description: >-
            Saved / target, rounded down to 4 decimals, so that less than the target never shows as
            1. Never below 0; may exceed 1. Null without a target.
          oneOf:
            - type: number
              minimum: 0
            - type: "null"
        daysUntilCompletion:
          description: From asOf to the planned date; negative when past, null without a date.
          type: [integer, "null"]
        requiredMonthlySaving:
          description: >-
            What to save in 30 days to be there on the planned date: remaining x 30 / max(days, 30),
            rounded up. 0 if nothing remains or the date is past; null without a target or a date.
          oneOf:
            - $ref: "#/components/schemas/Amount"
            - type: "null"
        outlook:
          description: >-
            The first that fits: openEnded (no target), reached (nothing remains), unscheduled (no
            date), overdue (date past), onTrack (projected to be there by then), behind.
          type: string
          enum: [openEnded, reached, unscheduled, overdue, onTrack, behind]
        averageMonthlySaving:
          description: >-
            The pace of the last 30 to 90 days, for 30 days, rounded down (toward minus infinity).
          $ref: "#/components/schemas/Balance"
        projectedCompletionDate:
          description: >-
            When the target is reached at this pace; null if there is no target, nothing remains,
            nothing is saved on average, or it would be after 2199-12-31.
          oneOf:
            - $ref: "#/components/schemas/Day"
            - type: "null"
        transactionCount:
          $ref: "#/components/schemas/Count"
        incomeCount:
          $ref: "#/components/schemas/Count"
        expenseCount:
          $ref: "#/components/schemas/Count"
        incomeTotal:
          $ref: "#/components/schemas/Amount"
        expenseTotal:
          $ref: "#/components/schemas/Amount"
        maxExpenseAmount:
          $ref: "#/components/schemas/Amount"
        series:
          description: >-
            One entry for each calendar month, without holes, from the month of the first
            transaction to the later of the last one's and asOf's, cut to the filter's days.
          type: array
          items:
            $ref: "#/components/schemas/MonthOfSeries"
        categories:
          description: By expense, then income, both descending, then by name; null last.
          type: array
          items:
            $ref: "#/components/schemas/CategoryTotals"
        projection:
          description: >-
            The instalments that reach the target on the planned date; together exactly what
            remains.
          type: array
          items:
            $ref: "#/components/schemas/Instalment"
    MonthOfSeries:
      type: object
      additionalProperties: false
      required: [month, income, expense, balance]
      properties:
        month:
          type: string
          pattern: "^[0-9]{4}-[0-9]{2}$"
        income:
          $ref: "#/components/schemas/Amount"
        expense:
          $ref: "#/components/schemas/Amount"
        balance:
          description: The goal's saved amount at the end of the month, never filtered.
          $ref: "#/components/schemas/Balance"
    CategoryTotals:
      type: object
      additionalProperties: false
      required: [category, income, expense, count]
      properties:
        category:
          oneOf:
            - $ref: "#/components/schemas/Category"
            - type: "null"
        income:
          $ref: "#/components/schemas/Amount"
        expense:
          $ref: "#/components/schemas/Amount"
        count:
          $ref: "#/components/schemas/Count"
    Instalment:
      type: object
      additionalProperties: false
      required: [date, saving, balance]
      properties:
        date:
          $ref: "#/components/schemas/Day"
        saving:
          $ref: "#/components/schemas/PositiveAmount"
        balance:
          $ref: "#/components/schemas/Balance"
    Health:
      type: object
      additionalProperties: false
      required: [status]
      properties:
        status:
          const: ok
        figures:
          description: >-
            What the server has counted since it was started, if `verbose` asked for it;
            `openConnections`, `requestsInFlight` and `openStreams` are of this moment.
          type: object
          additionalProperties: false
          properties:
            openConnections:
              $ref: "#/components/schemas/Figure"
            acceptedConnections:
              $ref: "#/components/schemas/Figure"
            refusedConnections:
              $ref: "#/components/schemas/Figure"
            acceptPauses:
              $ref: "#/components/schemas/Figure"
            requestsInFlight:
              $ref: "#/components/schemas/Figure"
            openStreams:
              $ref: "#/components/schemas/Figure"
            refusedRequests:
              $ref: "#/components/schemas/Figure"
            unreadableRequests:
              $ref: "#/components/schemas/Figure"
            headTimeouts:
              $ref: "#/components/schemas/Figure"
            bodyTimeouts:
              $ref: "#/components/schemas/Figure"
            idleTimeouts:
              $ref: "#/components/schemas/Figure"
            writeTimeouts:
              $ref: "#/components/schemas/Figure"
            lingerTimeouts:
              $ref: "#/components/schemas/Figure"
    Figure:
      type: integer
      minimum: 0
    Problem:
      description: RFC 9457.
      type: object
      additionalProperties: false
      required: [type, title, status, detail, code, requestId]
      properties:
        type:
          description: The kind of problem, as a path.
          type: string
          pattern: "^/problems/[a-z0-9-]+$"
        title:
          type: string
          minLength: 1
        status:
          type: integer
          minimum: 400
          maximum: 599
        detail:
          description: What went wrong this time.
          type: string
          minLength: 1
        code:
          description: The kind of problem, as a stable word; the last segment of the type.
          type: string
          pattern: "^[a-z0-9-]+$"
        requestId:
          type: string
          minLength: 1
          maxLength: 128
        errors:
          description: Every mistake in the input.
          type: array
          minItems: 1
          items:
            $ref: "#/components/schemas/Mistake"
    Mistake:
      type: object
      additionalProperties: false
      required: [pointer, detail]
      properties:
        pointer:
          description: A JSON Pointer into the body, or the name of a query parameter.
          type: string
        detail:
          type: string
          minLength: 1
    ID:
      type: string
      format: uuid
      pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
    ClientID:
      description: An id of the client's own; the server makes one (UUID version 7) if missing.
      type: string
      format: uuid
      pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
    Title:
      description: >-
        1 to 200 characters after normalizing: NFC, ends trimmed, inner runs of white space one
        blank. No control characters.
      type: string
      minLength: 1
      maxLength: 12800
    Note:
      description: >-
        Up to 2,000 characters, kept as written. Tabs and line breaks are allowed, other control
        characters are not. Empty by default.
      type: string
      maxLength: 128000
    Category:
      description: 1 to 100 characters, normalized like a title.
      type: string
      minLength: 1
      maxLength: 6400
    Currency:
      description: An active ISO 4217 code.
      type: string
      pattern: "^[A-Z]{3}$"
    Status:
      description: >-
        Moves: active to paused, completed, archived; paused to active, completed, archived;
        completed to active, archived; archived to active.
      type: string
      enum: [active, paused, completed, archived]
    TransactionType:
      description: Income adds to what is saved, an expense takes from it.
      type: string
      enum: [income, expense]
    Amount:
      description: Zero or more, with exactly the currency's decimals.
      type: string
      pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{2,4})?$"
    PositiveAmount:
      description: More than zero, with exactly the currency's decimals.
      type: string
      pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{2,4})?$"
      not:
        type: string
        pattern: "^[0.]*$"
    Balance:
      description: An amount that may be negative, with exactly the currency's decimals.
      type: string
      pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]{2,4})?$"
    GivenAmount:
      description: >-
        Zero or more, with at most the currency's decimals, and at most 999,999,999,999,999 of its
        minor units. Zero by default.
      oneOf:
        - type: string
          pattern: "^[0-9]+(\\.[0-9]{1,4})?$"
        - type: number
          minimum: 0
    GivenPositiveAmount:
      description: >-
        More than zero, with at most the currency's decimals, and at most 999,999,999,999,999 of its
        minor units.
      oneOf:
        - type: string
          pattern: "^[0-9]+(\\.[0-9]{1,4})?$"
          not:
            type: string
            pattern: "^[0.]*$"
        - type: number
          exclusiveMinimum: 0
    Day:
      description: A real day from 1900-01-01 to 2199-12-31.
      type: string
      format: date
      pattern: "^(19|20|21)[0-9]{2}-[0-9]{2}-[0-9]{2}$"
    Moment:
      type: string
      format: date-time
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
    Revision:
      description: Counts the changes, from 1; also the strong entity tag.
      type: integer
      minimum: 1
    Count:
      type: integer
      minimum: 0
    NextCursor:
      description: The `cursor` of the next page; null on the last one.
      type: [string, "null"]
      minLength: 1
  examples:
    Goal:
      summary: A goal with two transactions
      value:
        id: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
        title: A cargo bike
        note: With a rain cover.
        currency: EUR
        targetAmount: "4500.00"
        startingAmount: "600.00"
        plannedCompletionDate: "2027-04-15"
        status: active
        completedAt: null
        savedAmount: "964.50"
        remainingAmount: "3535.50"
        transactionCount: 2
        revision: 3
        createdAt: "2027-01-15T09:30:00.000Z"
        updatedAt: "2027-01-15T09:32:00.000Z"
    GoalPage:
      summary: The last page of a list
      value:
        items:
          - id: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
            title: A cargo bike
            note: With a rain cover.
            currency: EUR
            targetAmount: "4500.00"
            startingAmount: "600.00"
            plannedCompletionDate: "2027-04-15"
            status: active
            completedAt: null
            savedAmount: "964.50"
            remainingAmount: "3535.50"
            transactionCount: 2
            revision: 3
            createdAt: "2027-01-15T09:30:00.000Z"
            updatedAt: "2027-01-15T09:32:00.000Z"
        nextCursor: null
    NewGoal:
      summary: A goal, in the server's currency
      value:
        title: A cargo bike
        targetAmount: "4500"
        plannedCompletionDate: "2027-04-15"
    NewGoalWithId:
      summary: A goal whose id a client made, to be sent again safely
      value:
        id: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
        title: A cargo bike
        note: With a rain cover.
        currency: EUR
        targetAmount: "4500.00"
        startingAmount: 600
        plannedCompletionDate: "2027-04-15"
    GoalChanges:
      summary: Completes a goal and clears its date
      value:
        plannedCompletionDate: null
        status: completed
    Transaction:
      summary: Income
      value:
        id: 01a318af-a020-7c44-9b1d-2e8f7a6b5c4d
        goalId: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
        transactionType: income
        amount: "400.00"
        date: "2027-01-10"
        category: salary
        note: ""
        revision: 1
        createdAt: "2027-01-15T09:31:00.000Z"
        updatedAt: "2027-01-15T09:31:00.000Z"
    TransactionPage:
      summary: A page that others follow
      value:
        items:
          - id: 01a318b0-8a80-70f3-a5c6-1b9d8e7f6a5b
            goalId: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
            transactionType: expense
            amount: "35.50"
            date: "2027-01-12"
            category: repairs
            note: New brake pads for the old one.
            revision: 1
            createdAt: "2027-01-15T09:32:00.000Z"
            updatedAt: "2027-01-15T09:32:00.000Z"
          - id: 01a318af-a020-7c44-9b1d-2e8f7a6b5c4d
            goalId: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
            transactionType: income
            amount: "400.00"
            date: "2027-01-10"
            category: salary
            note: ""
            revision: 1
            createdAt: "2027-01-15T09:31:00.000Z"
            updatedAt: "2027-01-15T09:31:00.000Z"
        nextCursor: AQIDBAUGBwg
    NewTransaction:
      summary: Income of today
      value:
        transactionType: income
        amount: "400.00"
    NewTransactionWithId:
      summary: An expense whose id a client made, to be sent again safely
      value:
        id: 01a318b0-8a80-70f3-a5c6-1b9d8e7f6a5b
        transactionType: expense
        amount: 35.50
        date: "2027-01-12"
        category: repairs
        note: New brake pads for the old one.
    TransactionChanges:
      summary: Corrects an amount and clears the category
      value:
        amount: "53.50"
        category: null
    Statistics:
      summary: The goal above on 15 January 2027
      value:
        goalId: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
        revision: 3
        asOf: "2027-01-15"
        timeZone: Europe/Warsaw
        currency: EUR
        targetAmount: "4500.00"
        savedAmount: "964.50"
        remainingAmount: "3535.50"
        progress: 0.2143
        daysUntilCompletion: 90
        requiredMonthlySaving: "1178.50"
        outlook: behind
        averageMonthlySaving: "364.50"
        projectedCompletionDate: "2027-11-02"
        transactionCount: 2
        incomeCount: 1
        expenseCount: 1
        incomeTotal: "400.00"
        expenseTotal: "35.50"
        maxExpenseAmount: "35.50"
        series:
          - month: "2027-01"
            income: "400.00"
            expense: "35.50"
            balance: "964.50"
        categories:
          - category: repairs
            income: "0.00"
            expense: "35.50"
            count: 1
          - category: salary
            income: "400.00"
            expense: "0.00"
            count: 1
        projection:
          - date: "2027-02-14"
            saving: "1178.50"
            balance: "2143.00"
          - date: "2027-03-16"
            saving: "1178.50"
            balance: "3321.50"
          - date: "2027-04-15"
            saving: "1178.50"
            balance: "4500.00"
    Batch:
      summary: Two transactions, and a new title if nobody else has changed the goal
      value:
        commands:
          - method: POST
            path: /goals/01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70/transactions
            body:
              transactionType: income
              amount: "400.00"
          - method: POST
            path: /goals/01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70/transactions
            body:
              transactionType: expense
              amount: "35.50"
          - method: PATCH
            path: /goals/01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
            ifMatch: '"3"'
            body:
              title: A cargo bike
    BatchResults:
      summary: A transaction was recorded, and its goal changed
      value:
        results:
          - status: 201
            headers:
              ETag: '"1"'
              Location: /goals/01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70/transactions/01a318af-a020-7c44-9b1d-2e8f7a6b5c4d
            body:
              id: 01a318af-a020-7c44-9b1d-2e8f7a6b5c4d
              goalId: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
              transactionType: income
              amount: "400.00"
              date: "2027-01-10"
              category: salary
              note: ""
              revision: 1
              createdAt: "2027-01-15T09:31:00.000Z"
              updatedAt: "2027-01-15T09:31:00.000Z"
          - status: 200
            headers:
              ETag: '"3"'
            body:
              id: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
              title: A cargo bike
              note: With a rain cover.
              currency: EUR
              targetAmount: "4500.00"
              startingAmount: "600.00"
              plannedCompletionDate: "2027-04-15"
              status: active
              completedAt: null
              savedAmount: "964.50"
              remainingAmount: "3535.50"
              transactionCount: 2
              revision: 3
              createdAt: "2027-01-15T09:30:00.000Z"
              updatedAt: "2027-01-15T09:32:00.000Z"
    ChangePage:
      summary: A goal has changed, and a transaction was deleted
      value:
        changes:
          - type: transaction
            id: 01a318af-a020-7c44-9b1d-2e8f7a6b5c4d
            goalId: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
            revision: 2
            deleted: true
          - type: goal
            id: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
            revision: 3
            deleted: false
            goal:
              id: 01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70
              title: A cargo bike
              note: With a rain cover.
              currency: EUR
              targetAmount: "4500.00"
              startingAmount: "600.00"
              plannedCompletionDate: "2027-04-15"
              status: active
              completedAt: null
              savedAmount: "964.50"
              remainingAmount: "3535.50"
              transactionCount: 2
              revision: 3
              createdAt: "2027-01-15T09:30:00.000Z"
              updatedAt: "2027-01-15T09:32:00.000Z"
        next: AYF3nK1mM0Q2AAAAAAAAABEAAAAAAAAAEeEJ_f1oR2s7
        hasMore: false
    Events:
      summary: The deletion of a transaction
      value: |-
        id: AYF3nK1mM0Q2AAAAAAAAABEAAAAAAAAAEeEJ_f1oR2s7
        data: {"type":"transaction","id":"01a318af-a020-7c44-9b1d-2e8f7a6b5c4d","goalId":"01a318ae-b5c0-7a1e-8f3c-5d2b9c4e6f70","revision":2,"deleted":true}
    Health:
      summary: All is well
      value:
        status: ok
    MalformedJSON:
      summary: A body that is no JSON
      value:
        type: /problems/malformed-json
        title: The body is not JSON
        status: 400
        detail: "The body cannot be read as JSON: line 1, column 11: a value is expected here."
        code: malformed-json
        requestId: phone-7f3a-0042
    UnknownParameter:
      summary: A query parameter that does not exist
      value:
        type: /problems/malformed-query
        title: The query is not right
        status: 400
        detail: "The query is not as it should be; errors says where and what is right."
        code: malformed-query
        requestId: phone-7f3a-0042
        errors:
          - pointer: colour
            detail: is not a parameter of this resource
    InvalidCursor:
      summary: A cursor that was changed, or used with other filters
      value:
        type: /problems/malformed-cursor
        title: The cursor is not right
        status: 400
        detail: "The cursor does not belong to this list with this sort and these filters."
        code: malformed-cursor
        requestId: phone-7f3a-0042
    Unauthorized:
      summary: No token that lets anybody in
      value:
        type: /problems/unauthorized
        title: An access token is needed
        status: 401
        detail: >-
          The access token is none, was revoked or has expired, or its account is disabled.
        code: unauthorized
        requestId: 5b1f0c6d2e9a4478
    InsufficientScope:
      summary: A change with a token for reading
      value:
        type: /problems/insufficient-scope
        title: The access token is not for this
        status: 403
        detail: The access token is for reading alone.
        code: insufficient-scope
        requestId: 5b1f0c6d2e9a4478
    RateLimited:
      summary: Too many requests
      value:
        type: /problems/rate-limited
        title: There were too many requests
        status: 429
        detail: This access token may make 600 requests a minute. Try again in 1 s.
        code: rate-limited
        requestId: 5b1f0c6d2e9a4478
    NotFound:
      summary: No such goal
      value:
        type: /problems/not-found
        title: There is no such thing
        status: 404
        detail: "There is no goal with this id."
        code: not-found
        requestId: phone-7f3a-0042
    StatusMoveNotAllowed:
      summary: A status that a goal cannot go to from here
      value:
        type: /problems/status-move-not-allowed
        title: "The goal's status does not allow this move"
        status: 409
        detail: 'A goal that is "archived" cannot become "paused". From there it can become: "active".'
        code: status-move-not-allowed
        requestId: phone-7f3a-0042
    GoalArchived:
      summary: A transaction for an archived goal
      value:
        type: /problems/goal-archived
        title: The goal is archived
        status: 409
        detail: 'An archived goal takes no new transactions. Set its status to "active" first.'
        code: goal-archived
        requestId: phone-7f3a-0042
    IdentifierTaken:
      summary: An id that has other content
      value:
        type: /problems/identifier-taken
        title: The id is taken
        status: 409
        detail: "Something else was created with this id. The same content again would be answered with what is there."
        code: identifier-taken
        requestId: phone-7f3a-0042
    Gone:
      summary: A goal that was deleted
      value:
        type: /problems/gone
        title: This was deleted
        status: 410
        detail: "The goal with this id was deleted."
        code: gone
        requestId: phone-7f3a-0042
    PreconditionFailed:
      summary: A change meant for an older revision
      value:
        type: /problems/precondition-failed
        title: The resource has changed since
        status: 412
        detail: 'If-Match names no current entity tag: read it again. Its tag is "3" now.'
        code: precondition-failed
        requestId: phone-7f3a-0042
    UnsupportedMediaType:
      summary: A body of another type
      value:
        type: /problems/unsupported-media-type
        title: The body is of another type than this resource takes
        status: 415
        detail: "The body must be application/json."
        code: unsupported-media-type
        requestId: phone-7f3a-0042
    ValidationFailed:
      summary: Several mistakes in one body
      value:
        type: /problems/validation-failed
        title: The input is not valid
        status: 422
        detail: "The body is not as it should be; errors says where and what is right."
        code: validation-failed
        requestId: phone-7f3a-0042
        errors:
          - pointer: /title
            detail: "is required and must be text of 1 to 200 characters, without control characters"
          - pointer: /targetAmount
            detail: 'must be a decimal number such as "1250.00" with at most 2 decimals (USD), above 0, at most 9999999999999.99, or null'
    GoalLimitReached:
      summary: One goal too many
      value:
        type: /problems/goal-limit-reached
        title: The account has as many goals as it may have
        status: 409
        detail: "An account may have 1000 goals here."
        code: goal-limit-reached
        requestId: phone-7f3a-0042
    TransactionLimitReached:
      summary: One transaction too many
      value:
        type: /problems/transaction-limit-reached
        title: The account has as many transactions as it may have
        status: 409
        detail: "An account may have 100000 transactions here."
        code: transaction-limit-reached
        requestId: phone-7f3a-0042
    ResyncRequired:
      summary: A place in the order of changes from long ago
      value:
        type: /problems/resync-required
        title: The changes since then are no longer known
        status: 410
        detail: 'What has changed since then can no longer be told. Drop what you have, and read from the start: without "since".'
        code: resync-required
        requestId: phone-7f3a-0042
    IdempotencyKeyReused:
      summary: A key that came with another request before
      value:
        type: /problems/idempotency-key-reused
        title: The key was used for another request
        status: 422
        detail: "Another request came with this Idempotency-Key before. Take a new key for each thing that is to be done once."
        code: idempotency-key-reused
        requestId: phone-7f3a-0042
    BatchTooLarge:
      summary: A batch whose answers would be too large
      value:
        type: /problems/batch-too-large
        title: The batch is too much at once
        status: 422
        detail: "Nothing of the batch was kept, because of /commands/16. The answers to the commands would come to more than 2 MiB. Send the batch in parts."
        code: batch-too-large
        requestId: phone-7f3a-0042
        errors:
          - pointer: /commands/16
            detail: "cannot be carried out: The answers to the commands would come to more than 2 MiB. Send the batch in parts."
    BatchRefused:
      summary: A batch of which one command is not valid
      value:
        type: /problems/validation-failed
        title: The input is not valid
        status: 422
        detail: "Nothing of the batch was kept, because of /commands/1. The body is not as it should be; errors says where and what is right."
        code: validation-failed
        requestId: phone-7f3a-0042
        errors:
          - pointer: /commands/1/body/amount
            detail: 'must be a decimal number such as "1250.00" with at most 2 decimals (EUR), above 0, at most 9999999999999.99'
    Unavailable:
      summary: A server that is stopping
      value:
        type: /problems/storage-unavailable
        title: The storage cannot be used
        status: 503
        detail: "The storage cannot be used at the moment."
        code: storage-unavailable
        requestId: phone-7f3a-0042
    InsufficientStorage:
      summary: A full disk
      value:
        type: /problems/storage-full
        title: The disk is full
        status: 507
        detail: "Nothing can be written until there is room on the disk."
        code: storage-full
        requestId: phone-7f3a-0042
    MethodNotAllowed:
      summary: A method that the path does not have
      value:
        type: /problems/method-not-allowed
        title: The resource does not take this method
        status: 405
        detail: "This path does not take DELETE, but GET, HEAD, POST, OPTIONS."
        code: method-not-allowed
        requestId: phone-7f3a-0042
    ContentTooLarge:
      summary: A body beyond the limit
      value:
        type: /problems/content-too-large
        title: The body is too large
        status: 413
        detail: "The body is larger than 1,048,576 bytes."
        code: content-too-large
        requestId: phone-7f3a-0042
    InternalError:
      summary: An error of the server's own
      value:
        type: /problems/internal-error
        title: Something went wrong in the server
        status: 500
        detail: "The request was not carried out. The server's log says why, under this request id."
        code: internal-error
        requestId: phone-7f3a-0042

"""#
}
