import { heldIn, markOf } from '@tallyroom/contract/secrets'
import { type Credential, handingOf, type SecretKind } from '@tallyroom/domain/secrets'
import { z } from 'zod'

/** What the schema of an answer says of secrets. */
export type HandOut = {
  /** The kinds that the answer can't do without: whoever may not be handed one is refused before anything is done. */
  needed: readonly SecretKind[]
  /** The answer without what its caller may not be handed. */
  leaveOut: (answer: unknown, credential: Credential) => unknown
}

/** Leaves the secrets of a part of an answer out. Changes nothing in place. */
type Part = (value: unknown, isHanded: (kind: SecretKind) => boolean) => unknown

/** Reads an answer's schema once, so that answers without secrets cost nothing. */
export function handOutOf(response: z.ZodType): HandOut {
  const kinds = new Set<SecretKind>()
  const needed = new Set<SecretKind>()
  const known = new Map<z.ZodType, Part | undefined>()
  const whole = markOf(response)?.kind
  if (whole) needed.add(whole)
  const part = partOf(response)

  return {
    needed: [...needed],
    leaveOut(answer, credential) {
      const isHanded = (kind: SecretKind) => handingOf(kind, credential) === 'now'
      return part && ![...kinds].every(isHanded) ? part(answer, isHanded) : answer
    },
  }

  function partOf(schema: z.ZodType): Part | undefined {
    if (known.has(schema)) return known.get(schema)
    // Until it is read: a schema that holds itself.
    known.set(schema, undefined)
    const made = schema instanceof z.ZodObject ? partOfObject(schema) : partOfHeld(schema)
    known.set(schema, made)
    return made
  }

  function partOfObject({ shape }: z.ZodObject): Part | undefined {
    const fields = Object.entries<z.ZodType>(shape as Record<string, z.ZodType>).flatMap(
      ([name, schema]) => {
        const kind = markOf(schema)?.kind
        if (kind) return [[name, withheld(kind, schema)] as const]
        const inner = partOf(schema)
        return inner ? [[name, inner] as const] : []
      },
    )
    if (fields.length === 0) return undefined
    return (value, isHanded) => {
      if (typeof value !== 'object' || value === null) return value
      const left: Record<string, unknown> = { ...value }
      for (const [name, field] of fields) {
        if (!(name in left)) continue
        const shown = field(left[name], isHanded)
        if (shown === undefined) delete left[name]
        else left[name] = shown
      }
      return left
    }
  }

  /** A secret is left out if it can be, and else null. What can be neither is needed. */
  function withheld(kind: SecretKind, schema: z.ZodType): Part {
    kinds.add(kind)
    const instead = [undefined, null].find((value) => schema.safeParse(value).success)
    if (instead === undefined && !schema.safeParse(undefined).success) needed.add(kind)
    return (value, isHanded) => (isHanded(kind) ? value : instead)
  }

  /** Of an array, a record, a union or a wrapper: whatever it holds. */
  function partOfHeld(schema: z.ZodType): Part | undefined {
    const parts = heldIn(schema).flatMap((inner) => partOf(inner) ?? [])
    if (parts.length === 0) return undefined
    const each: Part = (value, isHanded) => parts.reduce((left, one) => one(left, isHanded), value)
    if (schema instanceof z.ZodArray || schema instanceof z.ZodTuple)
      return (value, isHanded) =>
        Array.isArray(value) ? value.map((item) => each(item, isHanded)) : value
    if (schema instanceof z.ZodRecord)
      return (value, isHanded) =>
        typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value).map(([name, item]) => [name, each(item, isHanded)]),
            )
          : value
    return each
  }
}
