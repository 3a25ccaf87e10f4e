import type { SiteWords } from '@tallyroom/contract/tracking/site-words'
import type { WordReading } from '@tallyroom/domain/holds'
import type { DbOrTx } from '../../db/database.ts'
import { readMeaning, type Words } from '../reading/event-and-status.ts'
import { fieldNamesOf, givenFields, type NameDialect } from '../reading/field-names.ts'
import { type ReadAs, readAs } from '../reading/read-as.ts'
import { allTakesBack } from '../reading/takes-back.ts'
import { saidIn, saidWord } from '../reading/said.ts'
import { wordKey } from '../reading/decided-words.ts'
import { findParams, findPlace, findWords, type WordRow } from './words.queries.ts'

type Item = SiteWords['items'][number]
type Means = Item['values'][number]['means']

/** What a site has sent so far, each parameter as it is read now, in the order in which they first came. */
export async function findSiteWords(
  db: DbOrTx,
  siteId: number,
  dialect: NameDialect & Words,
): Promise<SiteWords> {
  const { receivedAt } = await findPlace(db)
  const rows = await findWords(db, [siteId])
  const parameters = rows.filter(({ value }) => value === '')
  const ids = [...new Set(parameters.map(({ lastPostback }) => lastPostback))]
  const sent = new Map((await findParams(db, ids)).map(({ id, params }) => [id, saidIn(params)]))
  const items = parameters.map((row): Item => {
    const { name, parameter, isFree } = row
    const read = readAs(name, dialect)
    const words = SAYS_WHICH.has(read)
      ? []
      : rows.filter(({ parameter: of, value }) => of === parameter && value !== '')
    return {
      parameter: name,
      readAs: read,
      isFree: isFree || words.length === 0,
      ...countsOf(row),
      example:
        sent.get(row.lastPostback)?.find((said) => said.parameter === parameter)?.text ?? null,
      values: words.map((word) => ({
        value: word.value,
        means: meansOf(name, word.value, { read, dialect }),
        ...countsOf(word),
      })),
    }
  })
  return { readUntil: receivedAt.toISOString(), items }
}

const countsOf = ({ firstAt, lastAt, times }: WordRow) => ({
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  times,
})

/** Fields whose values say which, when or how much: none of them is a word. */
const SAYS_WHICH: ReadonlySet<ReadAs> = new Set([
  'click_id',
  'transaction_id',
  'email',
  'time',
  'amount',
])

/** What a word does that stands alone. Null if it changes nothing. */
function meansOf(
  name: string,
  value: string,
  { read, dialect }: { read: ReadAs; dialect: NameDialect & Words },
): Means {
  const decided = saidWord(name, value)
  const readings = decided && dialect.decidedWords?.get(wordKey(decided))
  // One that means different things beside different events has none by itself.
  const [reading, ...others] = new Set(readings?.values())
  if (reading !== undefined && others.length === 0) return MEANS[reading]
  if (read === 'event' || read === 'status') {
    const given = givenFields([[name, value]])
    const { event, standing, ignored } = readMeaning(given, fieldNamesOf(dialect), dialect)
    if (ignored) return 'ignored'
    if (event === undefined) return 'not understood'
    return read === 'event' ? event : standing
  }
  const isUnread = read === 'kept' || read === 'not understood'
  return isUnread && allTakesBack([{ name, values: [value] }]).length > 0 ? 'held' : null
}

const MEANS: Record<WordReading, Means> = {
  'takes-back': 'reverses',
  nothing: null,
  ignored: 'ignored',
  counts: 'counts',
}
