export { whatIf, type WhatIfCriteria } from './what-if.ts'
export { whatIfRoutes } from './what-if.routes.ts'
