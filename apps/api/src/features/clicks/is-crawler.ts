import { isbot } from 'isbot'

/** Programs that people drive themselves, to try a link out or to browse without a window. */
const DRIVEN_BY_PEOPLE = /^curl\/|headless/i

/** The list is a pattern of 200 parts: too slow to ask for each click, and browsers are few. */
const known = new Map<string, boolean>()
const MOST_KNOWN = 5_000

/** Whether a user agent is a known crawler's, whose visits are no clicks. */
export function isCrawler(userAgent: string | undefined): boolean {
  if (!userAgent) return false
  let answer = known.get(userAgent)
  if (answer === undefined) {
    answer = isbot(userAgent) && !DRIVEN_BY_PEOPLE.test(userAgent)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(userAgent, answer)
  }
  return answer
}
