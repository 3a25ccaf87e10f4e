import { sql } from 'kysely'

/** The mark of a click's visitor, as `markOf` makes it. Reads `type_id` and `ip`. */
export const visitorMark = sql<Buffer>`
  ltrim(int4send(type_id), '\\x00')
    || substr(inet_send(ip), 5, case family(ip) when 4 then 4 else 8 end)
`
