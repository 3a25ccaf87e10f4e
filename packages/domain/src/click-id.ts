/**
 * The layout of a click id: 160 bits, big-endian, as 32 characters of lower-case base32hex. The
 * alphabet is in ASCII order, so ids sort by click time. From the most significant bit:
 *
 *     44 bits  clickedAtMs   31 bits  agentId   24 bits  typeId   25 bits  nonce   36 bits  tag
 *
 * The id identifies agent, link type and month without a look-up. The tag (the start of a MAC that the
 * server computes over `clickIdPayload`) proves that the server issued the id.
 */
export type ClickIdFields = {
  /** Unix time in milliseconds; 44 bits last until the year 2527. */
  clickedAtMs: number
  agentId: number
  /** The link type's id; 24 bits. */
  typeId: number
  /** Distinguishes clicks of the same agent, link type and millisecond. */
  nonce: number
}

export type DecodedClickId = ClickIdFields & { tag: number }

/**
 * The lowest nonce of a click that is not stored (a crawler's, a HEAD request's). The id says so itself, so that a sale
 * of it need not wait for a row that never comes. Some stored clicks from before this rule have such a nonce, too.
 */
export const FIRST_UNSTORED_NONCE = 2 ** 25 - 2 ** 16

/** Whether a click id says that its click was not stored. */
export const saysUnstored = ({ nonce }: Pick<ClickIdFields, 'nonce'>): boolean =>
  nonce >= FIRST_UNSTORED_NONCE

/** Whether two ids are of one click: after a rotation of the secret, it has several. */
export function isSameClick(one: string, other: string): boolean {
  if (one === other) return true
  const [first, second] = [decodeClickId(one), decodeClickId(other)]
  return (
    first !== undefined &&
    second !== undefined &&
    first.agentId === second.agentId &&
    first.clickedAtMs === second.clickedAtMs &&
    first.nonce === second.nonce
  )
}

/** The agent id of test clicks. No agent has it, since identities start at 1. */
export const TEST_AGENT_ID = 0

const CLICK_ID_LENGTH = 32

/** Exclusive upper bounds of the fields. */
export const CLICK_ID_BOUNDS = {
  clickedAtMs: 2 ** 44,
  agentId: 2 ** 31,
  typeId: 2 ** 24,
  nonce: 2 ** 25,
  tag: 2 ** 36,
} as const

/** @throws RangeError if a field is not an integer within its bounds. */
export function encodeClickId(fields: ClickIdFields, tag: number): string {
  checkBounds('tag', tag)
  const [first, second, third, fourth] = packFields(fields)
  const last = tag >>> 0
  const fourthWithTag = (fourth | (tag / 2 ** 32)) >>> 0
  return (
    pair(first >>> 22) +
    pair(first >>> 12) +
    pair(first >>> 2) +
    pair((first << 8) | (second >>> 24)) +
    pair(second >>> 14) +
    pair(second >>> 4) +
    pair((second << 6) | (third >>> 26)) +
    pair(third >>> 16) +
    pair(third >>> 6) +
    pair((third << 4) | (fourthWithTag >>> 28)) +
    pair(fourthWithTag >>> 18) +
    pair(fourthWithTag >>> 8) +
    pair((fourthWithTag << 2) | (last >>> 30)) +
    pair(last >>> 20) +
    pair(last >>> 10) +
    pair(last)
  )
}

/**
 * The decoded fields, or undefined if the text is not 32 characters of the alphabet. Does not check
 * authenticity: for that, compare the tag with the one computed over `clickIdPayload`.
 */
export function decodeClickId(text: string): DecodedClickId | undefined {
  if (typeof text !== 'string' || text.length !== CLICK_ID_LENGTH) return undefined
  // Five characters are 25 bits, so each group below fits a 32-bit integer.
  const a = quintet(text, 0)
  const b = quintet(text, 5)
  const c = quintet(text, 10)
  const d = quintet(text, 15)
  const e = quintet(text, 20)
  const f = quintet(text, 25)
  const g = digit(text, 30) * 32 + digit(text, 31)
  if ((a | b | c | d | e | f | g) < 0) return undefined
  return {
    clickedAtMs: a * 2 ** 19 + (b >>> 6),
    agentId: ((b & 0x3f) << 25) | c,
    typeId: d >>> 1,
    nonce: ((d & 1) << 24) | (e >>> 1),
    tag: (e & 1) * 2 ** 35 + f * 2 ** 10 + g,
  }
}

/** The 16 bytes that the tag authenticates: the four fields in their layout, then four zero bits. */
export function clickIdPayload(fields: ClickIdFields): Uint8Array {
  const bytes = new Uint8Array(16)
  const words = packFields(fields)
  for (let index = 0; index < 16; index++) {
    bytes[index] = (words[index >> 2] ?? 0) >>> (24 - 8 * (index & 3))
  }
  return bytes
}

/** The tag: the first 36 bits of a MAC of at least 5 bytes. */
export function clickIdTag(mac: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = mac
  return a * 2 ** 28 + b * 2 ** 20 + c * 2 ** 12 + d * 2 ** 4 + (e >>> 4)
}

/** The first 128 bits as four unsigned words. The last four bits belong to the tag and are zero. */
function packFields(fields: ClickIdFields): [number, number, number, number] {
  const { clickedAtMs, agentId, typeId, nonce } = fields
  checkBounds('clickedAtMs', clickedAtMs)
  checkBounds('agentId', agentId)
  checkBounds('typeId', typeId)
  checkBounds('nonce', nonce)
  return [
    Math.floor(clickedAtMs / 2 ** 12),
    (((clickedAtMs % 2 ** 12) << 20) | (agentId >>> 11)) >>> 0,
    (((agentId & 0x7ff) << 21) | (typeId >>> 3)) >>> 0,
    (((typeId & 7) << 29) | (nonce << 4)) >>> 0,
  ]
}

function checkBounds(field: keyof typeof CLICK_ID_BOUNDS, value: number): void {
  if (!(value >= 0 && value < CLICK_ID_BOUNDS[field] && Number.isInteger(value))) {
    throw new RangeError(`${field} does not fit a click id: ${value}`)
  }
}

export const CLICK_ID_ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/** Two characters per ten-bit value, which halves the work of encoding. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => CLICK_ID_ALPHABET.charAt(bits >>> 5) + CLICK_ID_ALPHABET.charAt(bits & 31),
)

const pair = (bits: number): string => PAIRS[bits & 1023] ?? ''

const NOT_A_DIGIT = -1

const DIGITS = new Int8Array(128).fill(NOT_A_DIGIT)
for (let value = 0; value < CLICK_ID_ALPHABET.length; value++)
  DIGITS[CLICK_ID_ALPHABET.charCodeAt(value)] = value

const digit = (text: string, index: number): number => DIGITS[text.charCodeAt(index)] ?? NOT_A_DIGIT

/** The 25 bits of five characters; negative if a character is not in the alphabet. */
function quintet(text: string, index: number): number {
  const a = digit(text, index)
  const b = digit(text, index + 1)
  const c = digit(text, index + 2)
  const d = digit(text, index + 3)
  const e = digit(text, index + 4)
  return (a | b | c | d | e) < 0 ? NOT_A_DIGIT : (((((((a << 5) | b) << 5) | c) << 5) | d) << 5) | e
}
