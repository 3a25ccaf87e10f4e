import { sql } from 'kysely'

/** Columns by their names, as a list for SQL. */
export const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
