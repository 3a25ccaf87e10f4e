import { readFile, writeFile } from 'node:fs/promises'
import { knownStanding, knownStatusWords, STANDINGS } from '@tallyroom/domain/standings'
import { type Tracker, TRACKERS, type TrackerField } from '@tallyroom/domain/trackers'
import { fieldNamesOf } from '../src/tracking/reading/field-names.ts'

/** The merchant's guide, whose tables are generated from what the program reads. */
export const guideUrl = new URL('../../../docs/postbacks.md', import.meta.url)

/** The guide with its tables as the program has them. */
export function withTables(guide: string): string {
  const tables = { trackers: trackerTable(), names: nameTable(), statuses: statusTable() }
  return Object.entries(tables).reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`(<!-- ${name}: generated -->\n)[^]*?(<!-- end -->)`),
        (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
      ),
    guide,
  )
}

const code = (names: readonly string[] = []) => names.map((name) => `\`${name}\``).join(', ')

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`

const trackerTable = (): string =>
  [
    row('Tracker', 'Click id', 'Order number', 'Event', 'Status', 'Its statuses', 'Besides'),
    row('---', '---', '---', '---', '---', '---', '---'),
    ...TRACKERS.map((tracker) =>
      row(
        tracker.name,
        ...(['click_id', 'transaction_id', 'event', 'status'] as const).map((field) =>
          namesOf(tracker, field),
        ),
        statusesOf(tracker),
        tracker.note,
      ),
    ),
  ].join('\n')

const namesOf = ({ names }: Tracker, field: TrackerField) => code(names[field])

const statusesOf = ({ statusWords }: Tracker) =>
  STANDINGS.flatMap((standing) => {
    const words = statusWords.filter((word) => word.standing === standing).map(({ word }) => word)
    return words.length === 0 ? [] : [`${standing}: ${code(words)}`]
  }).join('; ')

const nameTable = (): string => {
  const names = fieldNamesOf({
    clickParam: '',
    transactionIdIsClick: false,
    tracker: undefined,
    hasCoupons: true,
  })
  return [
    row('Field', 'Read from the first of these that has a value'),
    row('---', '---'),
    ...Object.entries(names).map(([field, list]) => row(`\`${field}\``, code(list))),
  ].join('\n')
}

const statusTable = (): string =>
  [
    row('It means', 'Words'),
    row('---', '---'),
    ...STANDINGS.map((standing) =>
      row(standing, code(knownStatusWords().filter((word) => knownStanding(word) === standing))),
    ),
  ].join('\n')

/** `node apps/api/test/tracker-table.ts` writes the tables. */
if (import.meta.main) await writeFile(guideUrl, withTables(await readFile(guideUrl, 'utf8')))
