declare global {
  /** Set by public/first-data.js. */
  var tallyroomFirst:
    | { token: string; answers: Record<string, Promise<Response> | undefined> }
    | undefined
}

/** What tells apart calls with a body. */
const keyOf = (url: string, body: string | undefined) =>
  body === undefined ? url : `${url} ${body}`

/** Sends a call of the first page before its code has arrived. Later pages are sooner with their own. */
export function askAhead(url: string, body: object): void {
  const first = globalThis.tallyroomFirst
  if (!first) return
  const text = JSON.stringify(body)
  const answer = fetch(url, {
    method: 'POST',
    headers: {
      'Cache-Control': 'no-cache',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${first.token}`,
    },
    body: text,
  })
  // Whoever takes the answer hears of it.
  answer.catch(() => undefined)
  first.answers[keyOf(url, text)] = answer
}

/** The answer to a call that was sent before the app's scripts had arrived. Each is handed out once. */
export function takeFirstAnswer(
  url: string,
  token: string | undefined,
  body?: string,
): Promise<Response> | undefined {
  const first = globalThis.tallyroomFirst
  const key = keyOf(url, body)
  const answer = first?.token === token ? first?.answers[key] : undefined
  if (answer) delete first?.answers[key]
  return answer
}

/** The first page is drawn: the outline goes, and answers that nobody took are out of date from now on. */
export function endOpening(): void {
  globalThis.tallyroomFirst = undefined
  document.getElementById('opening')?.remove()
}
