import type { Viewer } from '../../access/viewer.ts'
import { forbidden } from '../../errors.ts'
import type { PayeeKey } from '../periods/payees.queries.ts'

/** The payee that an office or agent is. @throws FORBIDDEN to staff */
export function ownPayee({ role, officeId, agentId }: Viewer): PayeeKey {
  if (role === 'company') return { kind: 'office', id: officeId }
  if (role === 'agent') return { kind: 'agent', id: agentId }
  throw forbidden()
}
