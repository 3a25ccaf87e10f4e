/** Searches for the text anywhere in the field. Empty without a text. */
export const contains = <const Field extends string>(field: Field, text: string | undefined) =>
  text ? [{ field, operator: 'LIKE' as const, value: `%${text}%` }] : []

/** Searches for exactly that value. Empty without a value. */
export const equals = <const Field extends string, Value>(field: Field, value: Value | undefined) =>
  value === undefined ? [] : [{ field, operator: '=' as const, value }]
