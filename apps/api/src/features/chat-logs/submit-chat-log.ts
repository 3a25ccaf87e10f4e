import type { chatLogsEndpoints } from '@tallyroom/contract/chat-logs'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { forbidden, invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { isSiteInScope } from '../sites/index.ts'
import { insertChatLog } from './chat-logs.queries.ts'

/** Keeps a conversation as the agent's own, under the office that it works for today. */
export async function submitChatLog(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  chat: RequestOf<typeof chatLogsEndpoints.submitChatLog>['body'],
): Promise<{ id: number }> {
  // Others have no such ability; the type does not know.
  if (viewer.role !== 'agent') throw forbidden()
  if (!(await isSiteInScope(db, scopeOf(viewer), chat.siteId))) {
    throw invalid({ siteId: ['There is no such site'] })
  }
  return insertChatLog(db, {
    agent_id: viewer.agentId,
    office_id: viewer.officeId,
    site_id: chat.siteId,
    client_username: chat.clientUsername,
    // Line breaks as the rest of the world writes them.
    conversation: chat.conversation.replaceAll(/\r\n?/g, '\n'),
    submitted_at: clock.now(),
  })
}
