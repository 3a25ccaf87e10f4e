// Prints what last week's sales and bonuses pay each office. It takes Node 22.18 or newer, such as the one of `npm ci`:
// TALLYROOM_URL=https://office.example.com TALLYROOM_TOKEN=tly_… node_modules/.bin/node packages/client/examples/last-week.ts
import { createClient, TallyroomError } from '../src/index.ts'

const { TALLYROOM_URL: url = 'http://127.0.0.1:3000', TALLYROOM_TOKEN: token = '' } = process.env
const { payroll } = createClient({ url, token })

/** Days are New York days. */
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format()
const monday = new Date(`${today}T00:00:00Z`)
monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7) - 7)
const dayAfter = (days: number) =>
  new Date(monday.getTime() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)

try {
  const { page } = await payroll({
    body: { groupBy: 'company', start: dayAfter(0), end: dayAfter(6) },
  })
  for (const { officeName, sales, payout } of page.items)
    process.stdout.write(`${officeName}: ${sales} sales, ₱${(payout ?? 0).toFixed(2)}\n`)
} catch (error) {
  if (!(error instanceof TallyroomError)) throw error
  process.stderr.write(`${error.code}: ${error.message}\n`)
  process.exitCode = 1
}
