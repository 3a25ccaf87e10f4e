import { sortFields } from '@tallyroom/contract/list-choices'
import { lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { leadsTo, page } from '../../lib/pages/page.ts'
import { logSearch } from '../../shared/log-criteria.ts'
import { listSearch } from '../../ui/list/list-state.ts'

const searchSchema = z.object({
  ...listSearch(sortFields.chatLogs),
  ...logSearch,
})

export const chatLogsRoutes = [
  leadsTo('/logs', '/app/logs/chat'),
  page({
    path: '/logs/chat',
    title: 'Chat Logs',
    tab: 'Chat',
    ability: 'logs.chat',
    search: searchSchema,
    component: lazyRouteComponent(() => import('./ChatLogsPage.tsx'), 'ChatLogsPage'),
  }),
  leadsTo('/chat-logs', '/app/logs/chat'),
  page({
    path: '/chat-logs/create',
    title: 'Submit Chat Log',
    ability: 'chat.submit',
    component: lazyRouteComponent(() => import('./ChatLogFormPage.tsx'), 'ChatLogFormPage'),
  }),
] as const
