export { endSessions, type EndReason } from './sessions.queries.ts'
export { makeFindViewer } from './find-viewer.ts'
export { openSession } from './open-session.ts'
export { replacePassword } from './replace-password.ts'
