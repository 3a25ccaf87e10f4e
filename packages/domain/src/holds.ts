/** Why a postback is held for a person. Each kind has its own acts. */
export type HoldKind = keyof typeof HOLD_ACTS

/**
 * What staff can do about a held postback, and what that does to sales:
 *
 * - `record`: count it. A report dated before its click or sale gets the time of that, one dated before its coupon code counted that start.
 * - `count-again`: count a reversed sale again, with a new event of +1.
 * - `another-product`: count it as another product of the same order.
 * - `another-order`: count it as another order of the same click, with the postback’s id as its number.
 * - `keep-first`: the order stays with the click that it was counted for. Nothing changes.
 * - `take-this`: the order is of this click. What counts of it for other clicks is taken back, and this is counted.
 * - `both-count`: each click has a sale of its own under this order number.
 * - `reverse`: take back what it names, or the sale that staff choose.
 * - `in-proportion`: take back the refunded part of the sale’s amounts. The sale still counts.
 * - `was-retry`: it repeats an earlier report. Nothing changes.
 * - `mistake`: the merchant sent it by mistake. Nothing changes.
 * - `refuse`: nothing changes.
 * - `word-…`: it is read as its new word was decided to mean, see {@link WordReading}.
 */
const EFFECTS = {
  record: 'counts',
  'count-again': 'counts',
  'another-product': 'counts',
  'another-order': 'counts',
  'keep-first': 'nothing',
  'take-this': 'counts',
  'both-count': 'counts',
  reverse: 'takes back',
  'in-proportion': 'takes back',
  'was-retry': 'nothing',
  mistake: 'nothing',
  refuse: 'nothing',
  'word-takes-back': 'takes back',
  'word-nothing': 'counts',
  'word-ignored': 'nothing',
  'word-counts': 'counts',
} as const satisfies Record<string, 'counts' | 'takes back' | 'nothing'>

export type HoldAct = keyof typeof EFFECTS

type ActThat<Does> = {
  [Act in HoldAct]: (typeof EFFECTS)[Act] extends Does ? Act : never
}[HoldAct]

export const HOLD_ACT_NAMES = Object.keys(EFFECTS) as [HoldAct, ...HoldAct[]] // the keys of a constant

/** Undefined for a text that names no act. */
export const holdActOf = (text: unknown): HoldAct | undefined =>
  HOLD_ACT_NAMES.find((name) => name === text)

/** The kinds, each with its acts, the likeliest first. */
export const HOLD_ACTS = {
  /** Dated before its click or the start of its coupon code, or a reversal before its sale. */
  early: ['record', 'refuse'],
  /** The sale came more days after its click than the site counts. */
  late: ['record', 'refuse'],
  /** The order was reported for another link type of the site. */
  'other-product': ['another-product', 'mistake'],
  /** Without an order number, for a click that has a sale, and something in it is not as it was then. */
  'other-order': ['another-order', 'was-retry'],
  /** The order was reported for another click. */
  'other-click': ['keep-first', 'take-this', 'both-count'],
  /** The sale was reversed, and is reported again without a time that is after its reversal. */
  again: ['count-again', 'was-retry'],
  /** It reverses a sale that was counted again, without a time that is after that. */
  'reversed-again': ['reverse', 'was-retry'],
  /** A further event of an order that was taken back as a whole. */
  'order-reversed': ['record', 'refuse'],
  /** The merchant had rejected it before it was reported. */
  rejected: ['record', 'refuse'],
  /** The amount of the reversal is smaller than that of the sale. */
  part: ['reverse', 'in-proportion', 'refuse'],
  /** The amount of the reversal can't be read, or is of another currency than that of the sale. */
  amount: ['reverse', 'refuse'],
  /** The same part was taken back before, and nothing says that this is another one. */
  'part-again': ['in-proportion', 'was-retry'],
  /** A reversal that fits several sales, or none of those that it names. Staff choose the sale. */
  'which-sale': ['reverse', 'refuse'],
  /** Something in it says that money goes back, although its event does not. */
  'takes-back': ['reverse', 'refuse'],
  /** It has a word that its site never sent before, so that nobody has said what it means. */
  'new-word': ['word-takes-back', 'word-nothing', 'word-ignored', 'word-counts'],
  /** Its click or sale has not come for days. Not stored: its age decides. It can still be delivered again. */
  unmatched: ['refuse'],
} as const satisfies Record<string, readonly HoldAct[]>

export const HOLD_KINDS = Object.keys(HOLD_ACTS) as [HoldKind, ...HoldKind[]] // the keys of a constant

export const isHoldKind = (text: string): text is HoldKind => Object.hasOwn(HOLD_ACTS, text)

/** Acts that count a sale. Whoever chooses one has looked at every doubt about when it came. */
export const countsSale = (act: HoldAct | undefined): boolean =>
  act !== undefined && EFFECTS[act] === 'counts'

/** Acts that count a report of an order that is counted for another click. */
export const countsBeside = (act: HoldAct | undefined): act is 'take-this' | 'both-count' =>
  act === 'take-this' || act === 'both-count'

/** Acts that take a sale back, or a part of it. */
export type TakingAct = ActThat<'takes back'>

export const takesBackSale = (act: HoldAct | undefined): act is TakingAct =>
  act !== undefined && EFFECTS[act] === 'takes back'

/** Acts that settle a postback and change no sale. */
export type IdleAct = ActThat<'nothing'>

export const changesNothing = (act: HoldAct | undefined): act is IdleAct =>
  act !== undefined && EFFECTS[act] === 'nothing'

/** What can be done about a postback that is held. `hasWord`: a word in it is why, so that it can be decided once and for all. */
export const actsOf = (kind: HoldKind, hasWord: boolean): readonly HoldAct[] =>
  kind === 'takes-back' && hasWord
    ? [...HOLD_ACTS[kind], 'word-takes-back', 'word-nothing']
    : HOLD_ACTS[kind]

export const allows = (kind: HoldKind, act: HoldAct, hasWord: boolean): boolean =>
  actsOf(kind, hasWord).includes(act)

/**
 * What staff decided that a word of a site's merchant says:
 *
 * - `takes-back`: what was counted is taken back, as by a reversal.
 * - `nothing`: it changes nothing. The rest of the postback is read as if it were not there.
 * - `ignored`: the postback says nothing about a sale. It counts nothing and takes nothing back.
 * - `counts`: it counts, as by a status that says so.
 */
export type WordReading = (typeof WORD_READINGS)[number]

export const WORD_READINGS = ['takes-back', 'nothing', 'ignored', 'counts'] as const

export const isWordReading = (text: string | null): text is WordReading =>
  WORD_READINGS.some((reading) => reading === text)

/** The act that settles what is held for a word. */
export const actOfReading = (reading: WordReading): `word-${WordReading}` => `word-${reading}`

/** What the word says by an act; undefined for acts that are about one postback alone. */
export const readingOfAct = (act: HoldAct | undefined): WordReading | undefined =>
  WORD_READINGS.find((reading) => actOfReading(reading) === act)

/** What a site does about a reversal whose amount is smaller than the sale’s. */
export type PartRule = (typeof partRules)[number]

export const partRules = ['ask', 'whole', 'in-proportion'] as const

/** As stored with the site. */
export const partRuleOf = (text: string | null): PartRule =>
  partRules.find((rule) => rule === text) ?? 'ask'
