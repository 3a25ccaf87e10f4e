import { INVALID_RANGE_MESSAGE } from '@tallyroom/domain/periods'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { criteriaOf, idSchema, listRequest, pagedList, required, text } from '../list.ts'
import { sortFields } from '../list-choices.ts'
import { missing } from '../missing.ts'
import { daySchema } from '../periods.ts'

const chatLogItemSchema = z.object({
  id: idSchema,
  companyId: idSchema,
  officeName: z.string(),
  agentId: idSchema,
  agentUsername: z.string(),
  siteId: idSchema,
  sitename: z.string(),
  clientUsername: z.string(),
  /** Plain text as entered, never markup. */
  conversation: z.string(),
  submitTime: z.iso.datetime(),
})

export type ChatLogItem = z.infer<typeof chatLogItemSchema>

const id = { operators: ['='], value: idSchema } as const

const chatLogsSearchSchema = listRequest(sortFields.chatLogs, {
  sortField: 'officeName',
  sortAsc: true,
})
  .extend({
    criteria: criteriaOf({
      companyId: id,
      agentId: id,
      siteId: id,
      /** New York days, both inclusive. */
      submitTime: {
        operators: ['BETWEEN'],
        value: z
          .tuple([daySchema, daySchema])
          .refine(([start, end]) => start <= end, INVALID_RANGE_MESSAGE),
      },
    }),
  })
  .strict()

export type ChatLogsSearch = z.output<typeof chatLogsSearchSchema>

export const chatLogsEndpoints = {
  searchChatLogs: endpoint({
    method: 'POST',
    path: '/api/chat-logs/search',
    summary: 'Search the conversations with clients that agents have submitted',
    ability: 'logs.chat',
    byToken: 'logs',
    action: 'SEARCH',
    body: chatLogsSearchSchema,
    response: pagedList(chatLogItemSchema),
  }),
  submitChatLog: endpoint({
    method: 'PUT',
    path: '/api/chat-logs',
    summary: 'Submit a conversation as the calling agent',
    ability: 'chat.submit',
    action: 'CREATE',
    body: z.strictObject({
      clientUsername: required(100),
      siteId: idSchema,
      conversation: text(50_000).trim().min(1, missing),
    }),
    response: z.object({ id: idSchema }),
  }),
}
