import { can } from '@tallyroom/domain/abilities'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { commonLogsSearchParams } from '../features/common-logs/common-logs-search.ts'
import { loginLogsSearchParams } from '../features/login-logs/login-logs-search.ts'
import { readSession } from '../lib/session.ts'
import { appRoute, needs } from './app-route.ts'

type Raw = Record<string, unknown>

/** Leads to the first tab that one may open. */
const logsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs',
  beforeLoad: () => {
    const me = readSession()?.me
    const first = me && can(me, 'logs.login') ? '/app/logs/login' : '/app/logs/common-logs'
    throw redirect({ to: first, replace: true })
  },
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

export const logRoutes = [logsRoute, loginLogsRoute, commonLogsRoute] as const
