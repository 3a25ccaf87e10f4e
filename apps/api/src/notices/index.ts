export { keepListeners } from './listeners.ts'
export { type Listeners, type Notice, everybody } from './notice.ts'
