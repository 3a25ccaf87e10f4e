import { heldPostbacksEndpoints } from '@tallyroom/contract/tracking/held-postbacks'
import { HOLD_ACTS, type HoldAct, isHoldKind } from '@tallyroom/domain/holds'
import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { buildLinkType } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { postbackWorld } from '../../../test/postback-world.ts'
import { verifyTotals } from '../../totals/index.ts'
import { findTierPay } from '../../pay/index.ts'
import { postbacksRoutes } from '../postbacks/postbacks.routes.ts'
import { settleWaiting } from '../postbacks/settle-waiting.ts'

const { db, clock, services, inbound, merchant, eventsOf } = await postbackWorld()
const call = await callRoutes(postbacksRoutes(services, inbound, findTierPay))
const { settleHeldPostbacks } = heldPostbacksEndpoints

const PRODUCTS = ['base', 'pro'] as const
type Product = (typeof PRODUCTS)[number]

/** What the merchant says about an order, in the order in which it says it. */
const word = fc.oneof(
  fc.record({
    says: fc.constantFrom(
      'sale' as const,
      'approved' as const,
      'bonus' as const,
      'pending' as const,
    ),
    product: fc.constantFrom(...PRODUCTS),
  }),
  fc.record({
    /** `unsold` is a rejection that names the sale, `rejected` one of the whole order. */
    says: fc.constantFrom('void', 'chargeback', 'unsold', 'rejected'),
    /** Undefined: all of the order. */
    product: fc.option(fc.constantFrom(...PRODUCTS), { nil: undefined }),
  }),
)
type Word = typeof word extends fc.Arbitrary<infer Value> ? Value : never

const life = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 7 }),
  /** How often each report is sent. */
  copies: fc.infiniteStream(fc.integer({ min: 1, max: 2 })),
  /** Whether each says when it happened, and in which order they arrive: without times in the order in which they are said. */
  arrival: fc.constantFrom('in order', 'without times', 'shuffled'),
  shuffle: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  atOnce: fc.integer({ min: 1, max: 3 }),
  site: fc.record({
    several_products: fc.boolean(),
    /** Some words come later than that after the click. */
    counts_for_days: fc.constantFrom(0, 3),
  }),
})

const isBack = ({ says }: Word) => ['void', 'chargeback', 'unsold', 'rejected'].includes(says)

/** What counts by the merchant's last word about each thing that it sold. */
function lastWords(words: readonly Word[]): Set<string> {
  const counted = new Set<string>()
  for (const one of words) {
    if (!isBack(one)) {
      if (one.says !== 'pending') counted.add(thingOf(one))
      continue
    }
    for (const thing of counted) if (isAbout(one, thing)) counted.delete(thing)
  }
  return counted
}

const thingOf = ({ says, product }: Word) => `${says === 'bonus' ? 'bonus' : 'sale'} ${product}`

const isAbout = ({ says, product }: Word, thing: string): boolean =>
  (says !== 'unsold' || thing.startsWith('sale')) &&
  (product === undefined || thing.endsWith(product))

/** Without a time, a reversal of what was never reported waits for its sale and takes that back. */
const hasObject = (one: Word, index: number, words: readonly Word[]): boolean => {
  const before = words.slice(0, index)
  const pending = before.flatMap((other) => (other.says === 'pending' ? [thingOf(other)] : []))
  return (
    !['void', 'chargeback'].includes(one.says) ||
    [...lastWords(before), ...pending].some((thing) => isAbout(one, thing))
  )
}

function fieldsOf({ says, product }: Word): Record<string, string> {
  const status: Partial<Record<Word['says'], object>> = {
    approved: { event: 'sale', status: 'approved' },
    pending: { event: 'sale', status: 'pending' },
    unsold: { event: 'sale', status: 'rejected' },
    rejected: { status: 'rejected' },
  }
  return { ...(status[says] ?? { event: says }), ...(product && { type: product }) }
}

property.prop([life], { numRuns: 12 })(
  'whatever an order goes through, its last word counts, and never more',
  async ({ words: said, copies, arrival, shuffle, atOnce, site }) => {
    const words = arrival === 'without times' ? said.filter(hasObject) : said
    clock.set('2026-03-20T16:00:00Z')
    const { siteId, typeId, click, get } = await merchant(site)
    const pro = await buildLinkType(db, { site_id: siteId, typealias: 'pro', bonus: true })
    await db.updateTable('link_types').set({ typealias: 'base' }).where('id', '=', typeId).execute()
    const cid = await click({
      clicked_at: new Date('2026-03-01T00:00:00Z'),
      // Written without totals, so it must not count.
      uncounted: 'too many',
    })
    const isShuffled = arrival === 'shuffled'
    const counted = async () => liveOf(await eventsOf(siteId), pro)

    const reports = words.flatMap((one, index) =>
      Array.from({ length: copies.next().value }, (_, copy) => ({
        place: shuffle.next().value,
        index,
        fields: {
          cid,
          tid: 'A',
          comment: `${index}/${copy}`,
          ...fieldsOf(one),
          ...(arrival !== 'without times' && {
            time: new Date(Date.UTC(2026, 2, 1 + index, 12)).toISOString(),
          }),
        },
      })),
    )
    const arriving = isShuffled ? reports.toSorted((a, b) => a.place - b.place) : reports
    const together = isShuffled ? atOnce : 1
    for (let start = 0; start < arriving.length; start += together) {
      const some = arriving.slice(start, start + together)
      const answers = await Promise.all(some.map(({ fields }) => get(fields)))
      for (const answer of answers) expect([200, 201, 202, 409]).toContain(answer.statusCode)
      clock.advance(5_000)
      await settleWaiting(services)
      if (!isShuffled) {
        const soFar = words.slice(0, 1 + Math.max(...some.map(({ index }) => index)))
        await settleHeld(siteId, (kind, held, copy) => actOfNow(kind, words[held], copy, soFar))
        expect(await counted()).toEqual(lastWords(soFar))
      }
    }
    for (let round = 0; round < 3; round++) {
      clock.advance(11 * 60_000)
      await settleWaiting(services)
    }

    // Before anybody decides on what is in doubt, nothing counts that the last word does not say.
    const last = lastWords(words)
    for (const thing of await counted()) expect(last).toContain(thing)

    await settleHeld(siteId, (kind, held) => actOfLast(kind, words[held], last))
    expect(await counted()).toEqual(last)
    expect(await verifyTotals(db)).toEqual([])
  },
  300_000,
)

/** Things that count. Fails if one counts twice, or less than not at all. */
function liveOf(events: Awaited<ReturnType<typeof eventsOf>>, pro: number): Set<string> {
  const sums = new Map<string, number>()
  for (const event of events) {
    const product: Product = event.type_id === pro ? 'pro' : 'base'
    const thing = `${event.event_type === 1 ? 'bonus' : 'sale'} ${product}`
    sums.set(thing, (sums.get(thing) ?? 0) + event.quantity)
  }
  for (const net of sums.values()) expect(net).toBeOneOf([0, 1])
  return new Set([...sums].flatMap(([thing, net]) => (net === 1 ? [thing] : [])))
}

/** Staff who ask the merchant at once: the first report of each word is meant, and its copies are retries. */
function actOfNow(
  kind: string,
  one: Word | undefined,
  copy: number,
  said: readonly Word[],
): HoldAct {
  if (!one || !isHoldKind(kind)) throw new RangeError(`No such hold: ${kind}`)
  const [does = 'refuse'] = HOLD_ACTS[kind]
  // Other reversals in doubt are older than what counts, or name a product of which nothing was counted.
  const isMeant = isBack(one) ? kind === 'reversed-again' : lastWords(said).has(thingOf(one))
  return isMeant && copy === 0 ? does : not(kind)
}

/** Staff who ask at the end what counts. What was taken back by a word in doubt has been taken back by now. */
function actOfLast(kind: string, one: Word | undefined, last: ReadonlySet<string>): HoldAct {
  if (!one || !isHoldKind(kind)) throw new RangeError(`No such hold: ${kind}`)
  const [does = 'refuse'] = HOLD_ACTS[kind]
  return !isBack(one) && last.has(thingOf(one)) ? does : not(kind)
}

/** The act of a kind that changes nothing. */
const not = (kind: keyof typeof HOLD_ACTS): HoldAct => HOLD_ACTS[kind].at(-1) ?? 'refuse'

type Choose = (kind: string, index: number, copy: number) => HoldAct

/** Once one doubt is settled, there may be another. */
async function settleHeld(siteId: number, choose: Choose): Promise<void> {
  for (let round = 1; (await settleOnce(siteId, choose)) > 0; round++) expect(round).toBeLessThan(4)
}

async function settleOnce(siteId: number, choose: Choose): Promise<number> {
  const held = await db
    .selectFrom('held_postbacks as held')
    .innerJoin('postbacks as postback', 'postback.id', 'held.postback_id')
    .select(['postback.id', 'held.kind', 'postback.params'])
    .where('postback.site_id', '=', siteId)
    .orderBy('postback.received_at')
    .execute()
  for (const { id, kind, params } of held) {
    const { comment = '' } = params as { comment?: string }
    const [index = 0, copy = 0] = comment.split('/').map(Number)
    const body = { ids: [id], act: choose(kind, index, copy), reason: 'Asked the merchant' }
    const { status, body: answer } = await call(viewer(), settleHeldPostbacks, { body })
    expect([status, answer.items[0]?.state]).not.toEqual([200, 'impossible'])
  }
  return held.length
}
