import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { chatLogsSearchParams } from '../features/chat-logs/chat-logs-search.ts'
import { clickLogsSearchParams } from '../features/click-logs/click-logs-search.ts'
import { commonLogsSearchParams } from '../features/common-logs/common-logs-search.ts'
import { loginLogsSearchParams } from '../features/login-logs/login-logs-search.ts'
import { saleLogsSearchParams } from '../features/sale-logs/sale-logs-search.ts'
import { appRoute, needs } from './app-route.ts'

type Raw = Record<string, unknown>

const logsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs',
  beforeLoad: () => {
    throw redirect({ to: '/app/logs/chat', replace: true })
  },
})

const chatLogsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs/chat',
  staticData: { title: 'Chat Logs' },
  validateSearch: (raw: Raw) => chatLogsSearchParams.parse(raw),
  beforeLoad: needs('logs.chat'),
  component: lazyRouteComponent(
    () => import('../features/chat-logs/ChatLogsPage.tsx'),
    'ChatLogsPage',
  ),
})

/** The list by its other name. */
const chatLogsAliasRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/chat-logs',
  validateSearch: (raw: Raw) => chatLogsSearchParams.parse(raw),
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/app/logs/chat', search, replace: true })
  },
})

const submitChatLogRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/chat-logs/create',
  staticData: { title: 'Submit Chat Log' },
  beforeLoad: needs('chat.submit'),
  component: lazyRouteComponent(
    () => import('../features/chat-logs/ChatLogFormPage.tsx'),
    'ChatLogFormPage',
  ),
})

const clickLogsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs/click-outs',
  staticData: { title: 'Click Logs' },
  validateSearch: (raw: Raw) => clickLogsSearchParams.parse(raw),
  beforeLoad: needs('logs.click-outs'),
  component: lazyRouteComponent(
    () => import('../features/click-logs/ClickLogsPage.tsx'),
    'ClickLogsPage',
  ),
})

const saleLogsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs/sale-logs',
  staticData: { title: 'Sale Logs' },
  validateSearch: (raw: Raw) => saleLogsSearchParams.parse(raw),
  beforeLoad: needs('logs.sales'),
  component: lazyRouteComponent(
    () => import('../features/sale-logs/SaleLogsPage.tsx'),
    'SaleLogsPage',
  ),
})

const loginLogsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs/login',
  staticData: { title: 'Login Logs' },
  validateSearch: (raw: Raw) => loginLogsSearchParams.parse(raw),
  beforeLoad: needs('logs.login'),
  component: lazyRouteComponent(
    () => import('../features/login-logs/LoginLogsPage.tsx'),
    'LoginLogsPage',
  ),
})

const commonLogsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs/common-logs',
  staticData: { title: 'Common Logs' },
  validateSearch: (raw: Raw) => commonLogsSearchParams.parse(raw),
  beforeLoad: needs('logs.common'),
  component: lazyRouteComponent(
    () => import('../features/common-logs/CommonLogsPage.tsx'),
    'CommonLogsPage',
  ),
})

export const logRoutes = [
  logsRoute,
  chatLogsRoute,
  chatLogsAliasRoute,
  submitChatLogRoute,
  loginLogsRoute,
  clickLogsRoute,
  saleLogsRoute,
  commonLogsRoute,
] as const
