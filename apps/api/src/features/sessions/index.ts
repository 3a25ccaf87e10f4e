export { endSessions, findOrigin, keepSessionsOfRemoved, updateProof } from './sessions.queries.ts'
export { makeFindViewer } from './find-viewer.ts'
export {
  openSession,
  type ProvedBy,
  resumeSession,
  sessionIdleMs,
  sessionLifeMs,
} from './open-session.ts'
export { endOwnSessions, listOwnSessions } from './own-sessions.ts'
export { replacePassword } from './replace-password.ts'
