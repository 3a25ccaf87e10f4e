// Closes a pay period in a process that a test kills. The clock is set to the given instant.
import { openDatabase } from '../../src/db/database.ts'
import { closePeriod } from '../../src/pay/closing/close-period.ts'
import { movingClock } from '../../src/lib/clock.ts'

const [url = '', name = '', closer = '', instant = ''] = process.argv.slice(2)
const clock = movingClock(instant)
const { db } = openDatabase({ kind: 'server', url }, { max: 2, applicationName: 'closing', clock })
const by = { id: Number(closer), name: 'closer' }
await closePeriod({ db }, by, { name, typed: name, seen: [] })
