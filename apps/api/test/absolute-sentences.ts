/**
 * What docs/security.md and docs/api.md say without exception, and why one may believe it. A row of a table is one sentence.
 * Either the test that would fail if it became untrue, as `file › a part of its name`, or `–` and why none can.
 */
export const absoluteSentences: Readonly<Record<string, Record<string, string>>> = {
  'docs/security.md': {
    'can add one, enter the password, sign out':
      'apps/api/test/factor-matrix.test.ts › what adds a factor, and what leads there',
    'A test tries every group with every kind of session':
      '– the test itself: apps/api/test/factor-matrix.test.ts',
    'No account is made, no role is taken from the provider':
      'apps/api/src/people/provider/sign-in-by-provider.test.ts › matches nobody',
    'by the verified address that it alone of all staff has':
      'apps/api/src/people/provider/sign-in-by-provider.test.ts › an address of two accounts matches neither',
    'so every call that asks for the password still does':
      'apps/api/src/people/provider/sign-in-by-provider.test.ts › it proves no password',
    '*Settings → Sign-in* can leave staff no other way':
      'apps/api/src/people/provider/sign-in-by-provider.test.ts › staff sign in no other way',
    'which approves nothing about money for seven days':
      'apps/api/src/people/hands/hands.test.ts › approves nothing for seven days',
    'take no file and grant no PAY': 'apps/api/test/factor-matrix.test.ts › without a factor, from',
    'as with it one can act as them':
      'apps/api/test/factor-matrix.test.ts › with one, takes it each time',
    'If one was used to add or remove a factor':
      'apps/api/src/people/own-factors/add-with-factor.test.ts › approves nothing for seven days',
    'Everybody who may pay is told in the bell':
      'apps/api/src/people/admins/operator.test.ts › everybody who may pay gets a mail',
    'one press ends every session of the account':
      'apps/api/src/people/auth/new-place.test.ts › the link ends every session',
    'Every call requires one ability':
      'apps/api/test/access-matrix.test.ts › every endpoint has its expectations',
    'An office: its own and its agents':
      'apps/api/test/access-matrix.test.ts › every endpoint has its expectations',
    'From when?': 'apps/api/src/people/sessions/find-viewer.test.ts › at once',
    'The tests make every call with every role':
      'apps/api/test/access-matrix.test.ts › every endpoint has its expectations',
    '**What decides money** is one more rule':
      'packages/contract/src/effects.test.ts › every deciding field of the form',
    'writes none of it, whichever call they make':
      'apps/api/test/effects.test.ts › the refusal says what it is about',
    'so no list of calls has to be complete':
      'apps/api/src/db/guarded-writes.test.ts › %s decides money',
    'because they pay nobody': 'apps/api/src/db/guarded-writes.test.ts › two acts are exempt',
    "Postbacks of merchants are nobody's call": '– said of the design: they come without a session',
    'with every group of tokens and compare':
      'apps/api/test/effects.test.ts › the refusal says what it is about',
    "Link types' aliases and URLs, sites' further hosts, where they send visitors instead and whom coupon codes lead to, the codes, and the other columns":
      '– said of a limit',
    'Rates and terms of sites from before': '– said of a limit',
    'What decides money or opens accounts needs a proof':
      'apps/api/test/proof.test.ts › the calls that need a recent proof',
    'from which no statement leads to the owner': 'apps/api/src/db/app-login.test.ts › never %s',
    'such a payee has no other way to show': '– said of a limit',
    'No readable copy is kept of the password that is chosen with it':
      'apps/api/src/people/invitations/invitations.test.ts › which nobody else can read',
    'It changes nothing in the account':
      'apps/api/src/people/auth/forgot-without-mail.test.ts › it leaves password, hands and sessions',
    'Only superadmins invite admins':
      'apps/api/src/people/invitations/invitations.test.ts › nobody but superadmins invites an admin',
    'after *Sign in as*, nobody can': '– a test of every call: apps/api/test/weak-sessions.test.ts',
    'A test makes every call of offices and agents in such sessions':
      '– the test itself: apps/api/test/weak-sessions.test.ts',
    'payouts | staff; everybody else':
      'apps/api/test/access-matrix.test.ts › every endpoint has its expectations',
    'pay in the common logs and in histories':
      'apps/api/src/desk/common-logs/history-of-pay.test.ts › without PAY, parameters of pay are hidden',
    'readable password of an office, agent or admin':
      'packages/domain/src/secrets.test.ts › who is handed which secret',
    'suspended accounts in lists':
      'apps/api/src/people/admins/admins.test.ts › a new admin holds exactly the flags',
    'flags of an admin':
      'apps/api/src/people/admins/operator.test.ts › nobody else can be granted one',
    'addresses and referrers in click and login logs':
      '– no call changes a log; every call is in the endpoint table',
    'browser of a click / referrer of a sale':
      '– no call changes a log; every call is in the endpoint table',
    'Answers contain only fields':
      'apps/api/test/bad-input.test.ts › refuses bad input with its error code',
    'Session tokens | JWT, HS256':
      'apps/api/src/lib/tokens.test.ts › an altered session token is invalid',
    'It has no sign-in, so firewall the port': '– said of what is missing',
    'the npm registry, while': '– said of npm; a release has none',
    'A test changes every column':
      'apps/api/src/pay/verify/every-column.test.ts › the world as it is has no findings',
    'no update can move an event or a booking':
      '– said of Citus, which refuses updates of the column that distributes a table',
    '`pay_seal_head.last_loose` | Only a migration':
      'apps/api/src/pay/verify/every-column.test.ts › the app may change and delete this of pay',
    '`balance_entries.id` | It only orders':
      'apps/api/src/pay/verify/every-column.test.ts › the world as it is has no findings',
    'They are shown, and nothing is paid by them':
      'apps/api/src/pay/verify/every-column.test.ts › the world as it is has no findings',
    'An event that is not booked yet can only be compared': '– said of a limit',
    'Whoever can write the whole database and knows the program': '– said of a limit',
    'can change nothing in the tables of pay but':
      'apps/api/src/pay/verify/every-column.test.ts › the app may change and delete this of pay',
    'It can delete only AVP schedules':
      'apps/api/src/pay/verify/every-column.test.ts › the app may change and delete this of pay',
    'Nothing leaves by it, and the payee sees it': '– said of a limit',
    'They only give the payee time to notice': '– said of a limit',
    'Nothing here stops them': '– said of a limit',
    "The command line and the database's owner can do everything": '– said of a limit',
    'was made by the only superadmin': '– said of a limit',
    'so they bar nobody': '– said of a limit',
    'Secret | password hashes':
      'apps/api/test/no-secrets.test.ts › no password, token or key appears in plain text',
    'Evidence | common logs':
      'apps/api/src/desk/common-logs/audit-log.test.ts › the app itself can neither change nor delete an entry',
    'A file of `cli backup` is of mode 0600':
      'apps/api/src/operate/backup/backup.test.ts › only its owner may read the file',
    'PostgreSQL | 18.4 | all data': '– said of what it is for',
    'random numbers, SHA-256 of seals; no TLS':
      'apps/api/test/documents.test.ts › the embedded engine speaks no TLS',
    'There are no newer binaries of this package':
      '– said of the registry, in November 2026; CONTRIBUTING asks before each release',
    'No TLS.': 'apps/api/test/documents.test.ts › the embedded engine speaks no TLS',
    'No SQL of ours uses XML': 'apps/api/test/documents.test.ts › no SQL of ours uses XML',
    'server log | start, failures':
      'apps/api/test/no-secrets.test.ts › no password, token or key appears in plain text',
    'click and sale logs | clicks':
      'apps/api/test/access-matrix.test.ts › every endpoint has its expectations',
    'only if eight characters remain without them':
      'apps/api/src/people/accounts/password-rules.test.ts › is refused because it is made of names',
    '`cli accounts unlock` ends all waits':
      'apps/api/src/people/auth/known-device.test.ts › the operator unlocks an account',
    '"Forgot password" requires no captcha':
      'apps/api/src/people/auth/forgot.test.ts › a mailed link sets a new password',
    'A token for programs is handed no password, key or link':
      '– one table: packages/domain/src/secrets.ts, tried by apps/api/test/token-matrix.test.ts',
    'the act writes nothing, names the row':
      'apps/api/src/pay/evidence/forged.test.ts › and nothing is paid',
    'an exchange rate that needs nobody else':
      'apps/api/src/pay/evidence/forged.test.ts › nobody adjusts alone by a limit that SQL has raised',
    'they move nothing, and what they rest on is compared':
      'apps/api/src/pay/evidence/forged.test.ts › is what is left to do with a run that moved nothing',
    'Nobody has to call it: every night':
      '– what runs it is a recurring task: apps/api/src/start/recurring-tasks.ts',
    'the server leaves them out for everybody else': '– one table: packages/domain/src/secrets.ts',
    'No readable copy of a password exists for whoever can move money':
      '– the operator’s and the grant’s tests in apps/api/src/people/admins',
    'No credential can be exchanged for more than it gives':
      'apps/api/src/people/auth/credentials.test.ts › opens nothing',
    'work only in the browser that asked':
      'apps/api/src/people/auth/remote-login.test.ts › a link works only in the browser that asked for it',
    'the cookie alone is no sign-in':
      'apps/api/src/people/sessions/session-cookie.test.ts › the cookie is worth nothing without a token',
    'What sends no `Sec-Fetch-Site` is a program':
      'apps/api/src/people/sessions/session-cookie.test.ts › a program gets no cookie, and needs none',
    'The tests try every credential in every exchange':
      'apps/api/test/proof.test.ts › the calls that need a recent proof',
    'without HTTPS, other machines have no known devices':
      'apps/api/src/people/auth/known-device.test.ts › off loopback, browsers take it only over HTTPS',
    'A new password ends all others':
      'apps/api/src/people/auth/forgot.test.ts › which ends every session',
    'Addresses that users choose are asked by `lib/net/safe-fetch` alone':
      'apps/api/test/documents.test.ts › who makes connections is in the table',
    'Ports 80 and 443, ten seconds in all':
      'apps/api/src/lib/net/safe-fetch.test.ts › ports other than 80 and 443 need the operator',
    'reports, searches | 30 seconds per statement': '– said of a limit',
    'everything | under overload':
      '– said of the table above it; a load that makes a process refuse is measured by bench/soak.ts',
    'has all 253 requirements':
      'apps/api/test/documents.test.ts › every requirement of ASVS has a word and a place',
    'There was no external review': '– said of what was not done',
    'that say *no*, *only*, *all* or *never*':
      'apps/api/test/documents.test.ts › what the documents say without exception',
  },
  'docs/api.md': {
    'Everything that the back office shows comes from its API':
      '– the browser app has no other source: its only client is the contract’s',
    'It sees and does what you do, no more':
      'apps/api/src/people/tokens/tokens.test.ts › nobody allows a token what they may not do',
    '`/api/docs` lists all calls':
      'apps/api/test/api-document.test.ts › an operation is named as its endpoint is',
    'a call that does not name the scheme `token`':
      'apps/api/test/api-document.test.ts › an operation is named as its endpoint is',
    '`packages/client` has every call that a token can make':
      'apps/api/src/people/tokens/client.test.ts › the client has no call that no token can make',
    'it needs nothing else of this project':
      'apps/api/src/people/tokens/client.test.ts › runs where nothing of this project is',
    'all that says how its postbacks are read':
      'packages/contract/src/effects.test.ts › every deciding field of the form',
    'so that two pages of the same list share none':
      'apps/api/src/desk/sale-logs/sale-logs.test.ts › oldest first, each row comes once however many come meanwhile',
    'Never by token':
      'apps/api/test/token-matrix.test.ts › nothing that needs a password, and no change of pay',
  },
}
