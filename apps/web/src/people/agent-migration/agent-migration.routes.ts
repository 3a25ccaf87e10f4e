import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from '../../lib/pages/page.ts'

export const agentMigrationRoutes = [
  page({
    path: '/migration',
    title: 'Migration',
    ability: 'migration.run',
    component: lazyRouteComponent(() => import('./MigrationPage.tsx'), 'MigrationPage'),
  }),
] as const
