declare global {
  /** Set by public/first-data.js. */
  var tallyroomFirst:
    | { token: string; answers: Record<string, Promise<Response> | undefined> }
    | undefined
}

/** The answer to a call that was sent before the app's scripts had arrived. Each is handed out once. */
export function takeFirstAnswer(
  url: string,
  token: string | undefined,
): Promise<Response> | undefined {
  const first = globalThis.tallyroomFirst
  const answer = first?.token === token ? first?.answers[url] : undefined
  if (answer) delete first?.answers[url]
  return answer
}

/** The first page is drawn: the outline goes, and answers that nobody took are out of date from now on. */
export function endOpening(): void {
  globalThis.tallyroomFirst = undefined
  document.getElementById('opening')?.remove()
}
