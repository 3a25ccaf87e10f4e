import { MAX_ID } from '@tallyroom/domain/tracked-link'
import fc from 'fast-check'
import { z } from 'zod'
import type { Random } from './random.ts'

/** The values that a schema accepts, as JSON Schema. */
const shapeSchema = z.looseObject({
  type: z
    .union([z.string(), z.array(z.string())])
    .default('null')
    .transform((types) => [types].flat()),
  get properties() {
    return z.record(z.string(), shapeSchema).optional()
  },
  required: z.array(z.string()).default([]),
  get items() {
    return z.union([shapeSchema, z.literal(false)]).optional()
  },
  /** For a list in which each position has a meaning. */
  get prefixItems() {
    return z.array(shapeSchema).optional()
  },
  get anyOf() {
    return z.array(shapeSchema).optional()
  },
  get oneOf() {
    return z.array(shapeSchema).optional()
  },
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().default(0),
  maxLength: z.number().default(Infinity),
  minItems: z.number().default(0),
})
export type Shape = z.output<typeof shapeSchema>

const shapes = new WeakMap<z.ZodType, Shape>()

/** The JSON Schema of the values that a schema accepts. */
export function shapeOf(schema: z.ZodType): Shape {
  const known = shapes.get(schema)
  if (known) return known
  const shape = shapeSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  shapes.set(schema, shape)
  return shape
}

/** The material for good values. `ids` are ids of existing objects of any kind. */
export type Source = { random: Random; ids: readonly number[] }

/** Every password that is sent. It must not be returned, except where passwords are shown. */
export const PASSWORD = 'Sesame-7f3a-open'

/** A value that a JSON Schema accepts, mostly: rules beyond the schema are unknown to it. */
export function goodValue(shape: Shape, name: string, source: Source): unknown {
  const { random } = source
  const union = shape.anyOf ?? shape.oneOf
  if (union) return goodValue(random.pick(union), name, source)
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return random.pick(shape.enum)
  switch (random.pick(shape.type)) {
    case 'object':
      return goodFields(shape, source)
    case 'array':
      return goodList(shape, name, source)
    case 'integer':
    case 'number':
      return goodNumber(shape, source)
    case 'boolean':
      return random.chance(0.5)
    case 'string':
      return goodText(shape, name, source)
    default:
      return null
  }
}

/** All required fields and some of the others. */
export function goodFields(shape: Shape, source: Source): Record<string, unknown> {
  const { random } = source
  const entries = Object.entries(shape.properties ?? {}).filter(
    ([name]) => shape.required.includes(name) || random.chance(0.4),
  )
  return Object.fromEntries(entries.map(([name, field]) => [name, goodValue(field, name, source)]))
}

function goodList(
  { items, prefixItems, minItems }: Shape,
  name: string,
  source: Source,
): unknown[] {
  if (prefixItems) return prefixItems.map((item) => goodValue(item, name, source))
  if (!items) return []
  const length = Math.max(minItems, source.random.below(4))
  return Array.from({ length }, () => goodValue(items, name, source))
}

function goodNumber({ type, minimum = 0, maximum = 1000 }: Shape, { random, ids }: Source): number {
  if (maximum === MAX_ID && ids.length > 0 && random.chance(0.9)) return random.pick(ids)
  const lowest = Math.max(minimum, -1000)
  const number = lowest + random.below(Math.min(maximum, lowest + 1000) - lowest + 1)
  return type.includes('number') && number < maximum && random.chance(0.5) ? number + 0.25 : number
}

function goodText(shape: Shape, name: string, { random, ids }: Source): string {
  const known = knownTexts.find(([names]) => names.test(name))?.[1](random)
  const text = known ?? (shape.pattern?.startsWith('^[1-9]') && random.pick(ids).toString())
  if (typeof text === 'string' && text.length <= shape.maxLength) return text
  if (shape.pattern && !shape.pattern.startsWith('^[^')) return matching(shape.pattern, random)
  const length = Math.min(shape.maxLength, shape.minLength + random.below(12))
  return Array.from({ length }, () => random.pick(letters))
    .join('')
    .slice(0, length)
}

const letters = 'a b c d Z ä ß € 漢 😀 % _ \' " < & ; -'.split(/(?= )|(?<= )/)

/** A value according to the field's name, if the schema says too little. */
const knownTexts: readonly (readonly [RegExp, (random: Random) => string])[] = [
  [/password/i, () => PASSWORD],
  [/email/i, (random) => `someone${random.below(1e6)}@example.com`],
  [/^(start|end|day)$/, (random) => `2026-0${2 + random.below(2)}-${10 + random.below(18)}`],
  [/^validFrom$/, (random) => `2026-03-${random.pick(['02', '09', '16', '23', '30'])}`],
  [/^username$/, (random) => `u${random.below(1e8)}`],
  [/^(url|domain)$/, (random) => `https://shop${random.below(1e6)}.example`],
  [/^ip/, (random) => `198.51.${random.below(256)}.${random.below(256)}`],
  [/^html$/, (random) => `<p>News <b>${random.below(1e6)}</b></p>`],
]

const matchers = new Map<string, fc.Arbitrary<string>>()

function matching(pattern: string, random: Random): string {
  const matcher = matchers.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'))
  matchers.set(pattern, matcher)
  return fc.sample(matcher, { numRuns: 1, seed: random.below(2 ** 31) })[0] ?? ''
}
