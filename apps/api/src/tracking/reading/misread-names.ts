import type { FieldMessages } from '@tallyroom/contract/errors'
import { isPostbackEvent } from '@tallyroom/domain/event-types'
import { knownStanding, statusKey } from '@tallyroom/domain/standings'
import type { Words } from './event-and-status.ts'
import {
  fieldKey,
  type FieldNames,
  firstGiven,
  keysOf,
  type Given,
  type GivenFields,
} from './field-names.ts'
import { isNearly } from './takes-back.ts'

/**
 * Refuses a postback with a parameter that was likely meant as one of its fields, under a name with a slip: left
 * unread, a bonus or a rejection would count as a sale, and a second order as a retry of the first.
 */
export function misreadProblems(
  unread: readonly Given[],
  { fields, names, words }: { fields: GivenFields; names: FieldNames; words: Words },
): FieldMessages {
  const problems: FieldMessages = {}
  for (const { name, values } of unread) {
    const slip = slipsOf(fieldKey(name), names).find(
      ({ field, isShort }) =>
        (!isShort || values.some((value) => isWordFor(value, words))) &&
        (!isOptional(field) || !firstGiven(fields, names[field])),
    )
    if (!slip) continue
    const { field, meant } = slip
    ;(problems[field] ??= []).push(`is not read from ${name}. Did you mean ${meant}?`)
  }
  return problems
}

const FIELDS = [
  'event',
  'status',
  'reverses',
  'type',
  'click_id',
  'transaction_id',
  'time',
] as const

/** A slip in the name of one of these matters only if the field is missing. */
const isOptional = (field: (typeof FIELDS)[number]): boolean =>
  field === 'click_id' || field === 'transaction_id' || field === 'time'

type Slip = {
  field: (typeof FIELDS)[number]
  meant: string
  /** Short names have many neighbours, so only a word for an event or status makes them suspicious. */
  isShort: boolean
}

/** What a name may have been meant as, most often nothing. Merchants send the same names each time. */
function slipsOf(key: string, names: FieldNames): readonly Slip[] {
  if (key.length > LONGEST_NAME) return []
  const known = slipsByNames.get(names) ?? new Map<string, readonly Slip[]>()
  slipsByNames.set(names, known)
  const remembered = known.get(key)
  if (remembered) return remembered
  const slips = findSlips(key, names)
  if (known.size >= MOST_NAMES) known.clear()
  known.set(key, slips)
  return slips
}

const slipsByNames = new WeakMap<FieldNames, Map<string, readonly Slip[]>>()

/** Longer than any of ours by more than a slip. */
const LONGEST_NAME = 40

/** Remembered per site, so that a merchant who makes up names takes no memory. */
const MOST_NAMES = 200

function findSlips(key: string, names: FieldNames): Slip[] {
  if (key.includes('.') || HARMLESS.has(key)) return []
  if (Object.values(names).some((list) => keysOf(list).includes(key))) return []
  return FIELDS.flatMap((field) =>
    keysOf(names[field]).flatMap((known, at) =>
      isSlipOf(key, known)
        ? [{ field, meant: names[field][at] ?? known, isShort: known.length < 4 }]
        : [],
    ),
  )
}

const isWordFor = (value: string, { eventWords, statusWords }: Words): boolean =>
  eventWords.has(value.toLowerCase()) ||
  statusWords.has(statusKey(value)) ||
  isPostbackEvent(value.toLowerCase()) ||
  knownStanding(value) !== undefined

/** Names that others use for something else, although they are close to ours. */
const HARMLESS = new Set(['t', 'e', 's', 'ts', 'ref', 'state', 'geo', 'get', 'net', 'taxid'])

/** A name with a number at its end is another field of its kind, such as `adv_sub2`. */
const isSlipOf = (key: string, known: string): boolean =>
  key !== known &&
  !(/\d$/.test(key) && !/\d$/.test(known)) &&
  (known.length >= 4 ? isNearly(key, known) : isNearly(`--${key}--`, `--${known}--`))
