import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, needs } from './app-route.ts'

export const migrationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/migration',
  staticData: { title: 'Migration' },
  beforeLoad: needs('migration.run'),
  component: lazyRouteComponent(
    () => import('../features/agent-migration/MigrationPage.tsx'),
    'MigrationPage',
  ),
})
