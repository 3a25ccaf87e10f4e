import pg from 'pg'

/**
 * How PostgreSQL values are parsed where the driver's default would lose information.
 *
 * - `bigint` is a number; a value beyond 2^53 throws instead of rounding.
 * - `date` is 'YYYY-MM-DD': a day has no zone, but a `Date` does.
 * - `numeric`, `inet` and `cidr` stay text, `timestamptz` is a `Date`, `bytea` a `Buffer`.
 */
export const valueTypes = new pg.TypeOverrides()

const { INT8, DATE } = pg.types.builtins
const [INT8_ARRAY, DATE_ARRAY, TEXT_ARRAY] = [1016, 1182, 1009]

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY)

valueTypes.setTypeParser(INT8, parseInteger)
valueTypes.setTypeParser(INT8_ARRAY, (text) =>
  parseTextArray(text).map((item) => (item === null ? null : parseInteger(item))),
)
valueTypes.setTypeParser(DATE, (text) => text)
valueTypes.setTypeParser(DATE_ARRAY, parseTextArray)

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is past 2^53`)
  return value
}
