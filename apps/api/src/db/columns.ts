import { sql } from 'kysely'

/** Column names as an SQL list. */
export const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
