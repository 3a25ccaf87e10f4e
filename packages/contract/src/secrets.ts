import type { SecretKind } from '@tallyroom/domain/secrets'
import { z } from 'zod'

/**
 * Marks a field with a secret. Of what is sent, the common logs keep no value; of an answer, the server leaves it out for
 * callers to whom the table of `domain/secrets` does not hand it, or refuses the call if the answer can't do without it.
 */
export function secret<Schema extends z.ZodType>(
  kind: SecretKind,
  schema: Schema,
): Schema & Marked {
  marks.add(schema, { kind })
  return schema as Schema & Marked // a property that exists in types only
}

/** Says of a field that it is no secret, though its name sounds like one. */
export function notSecret<Schema extends z.ZodType>(schema: Schema): Schema & Marked {
  marks.add(schema, { kind: undefined })
  return schema as Schema & Marked // as above
}

const marks = z.registry<{ kind: SecretKind | undefined }>()

/** The mark of a schema, seen through optional, nullable and default. Its kind is undefined for {@link notSecret}. */
export function markOf(schema: z.ZodType): { kind: SecretKind | undefined } | undefined {
  const mark = marks.get(schema)
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  return mark || !wraps ? mark : markOf(schema.def.innerType as z.ZodType) // of the core, which is one
}

/** The names of the fields that a schema marks as {@link secret}, at any depth. */
export function secretFieldsOf(schema: z.ZodType): Set<string> {
  const names = new Set<string>()
  const visited = new Set<z.ZodType>()
  visit(schema, undefined)
  return names

  function visit(part: z.ZodType, name: string | undefined): void {
    if (name !== undefined && marks.get(part)?.kind) names.add(name)
    if (visited.has(part) && name === undefined) return
    visited.add(part)
    if (part instanceof z.ZodObject) {
      for (const [field, value] of Object.entries<z.ZodType>(part.shape)) visit(value, field)
      return
    }
    for (const inner of heldIn(part)) visit(inner, name)
  }
}

/** The schemas that a wrapper or combinator holds: optional, default, array, union, record, pipe … */
export const heldIn = (schema: z.ZodType): z.ZodType[] =>
  Object.values(schema._zod.def)
    .flat()
    .filter((held) => held instanceof z.ZodType)

/** In types only. No symbol, as declarations could not name it. */
type Marked = { readonly '~marked': true }

/** Fields with such names hold secrets, or say that they don’t. */
type SecretName = Suffixed<'password' | 'secret' | 'token' | 'key'>
type Suffixed<Word extends string> = Word | `${string}${Capitalize<Word>}`

/** The names of the text fields of an answer, at any depth, that sound like secrets and have no mark. */
export type Unmarked<Schema> = Schema extends Marked
  ? never
  : Schema extends { shape: infer Shape }
    ? UnmarkedIn<Shape>
    : Schema extends { element: infer Item }
      ? Unmarked<Item>
      : Schema extends { unwrap: () => infer Inner }
        ? Unmarked<Inner>
        : Schema extends { options: readonly (infer Option)[] }
          ? Unmarked<Option>
          : Schema extends { valueType: infer Value }
            ? Unmarked<Value>
            : never

type UnmarkedIn<Shape> = {
  [Field in keyof Shape & string]: Field extends SecretName
    ? UnlessMarked<Shape[Field], Field>
    : Unmarked<Shape[Field]>
}[keyof Shape & string]

type UnlessMarked<Schema, Field> = Schema extends Marked
  ? never
  : Schema extends { unwrap: () => infer Inner }
    ? UnlessMarked<Inner, Field>
    : Schema extends { _zod: { output: infer Value } }
      ? string extends Value
        ? Field
        : Unmarked<Schema>
      : never
