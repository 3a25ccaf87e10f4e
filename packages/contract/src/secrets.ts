import { z } from 'zod'

/** Marks a field whose value must never be stored as sent, such as a password or token. The common logs omit it. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  marks.add(schema, { isSecret: true })
  return schema
}

const marks = z.registry<{ isSecret: true }>()

/** The names of the fields that a schema marks as {@link secret}, at any depth. */
export function secretFieldsOf(schema: z.ZodType): Set<string> {
  const names = new Set<string>()
  const visited = new Set<z.ZodType>()
  visit(schema, undefined)
  return names

  function visit(part: z.ZodType, name: string | undefined): void {
    if (name !== undefined && marks.get(part)) names.add(name)
    if (visited.has(part) && name === undefined) return
    visited.add(part)
    if (part instanceof z.ZodObject) {
      for (const [field, value] of Object.entries<z.ZodType>(part.shape)) visit(value, field)
      return
    }
    // Wrappers and combinators (optional, default, array, union, pipe …) hold their inner schemas in `def`.
    for (const held of Object.values(part._zod.def)) {
      for (const inner of [held].flat()) if (inner instanceof z.ZodType) visit(inner, name)
    }
  }
}
