import type { chatLogsEndpoints } from '@tallyroom/contract/desk/chat-logs'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { forbidden, invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { isSiteInScope } from '../../catalogue/index.ts'
import { insertChatLog } from './chat-logs.queries.ts'

/** Stores a conversation for the calling agent and their current office. */
export async function submitChatLog(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  chat: RequestOf<typeof chatLogsEndpoints.submitChatLog>['body'],
): Promise<{ id: number }> {
  // Only agents have the ability; this narrows the type.
  if (viewer.role !== 'agent') throw forbidden()
  if (!(await isSiteInScope(db, scopeOf(viewer), chat.siteId))) {
    throw invalid({ siteId: ['This site no longer exists. Choose another one'] })
  }
  return insertChatLog(db, {
    agent_id: viewer.agentId,
    office_id: viewer.officeId,
    site_id: chat.siteId,
    client_username: chat.clientUsername,
    // Normalizes line breaks.
    conversation: chat.conversation.replaceAll(/\r\n?/g, '\n'),
    submitted_at: clock.now(),
  })
}
