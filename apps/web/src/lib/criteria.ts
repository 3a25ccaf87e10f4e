/** A criterion of a search: the text anywhere in the field. None without a text. */
export const contains = <const Field extends string>(field: Field, text: string | undefined) =>
  text ? [{ field, operator: 'LIKE' as const, value: `%${text}%` }] : []

/** A criterion of a search: just that value. None without one. */
export const equals = <const Field extends string, Value>(field: Field, value: Value | undefined) =>
  value === undefined ? [] : [{ field, operator: '=' as const, value }]
