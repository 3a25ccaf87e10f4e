export { mayAgentSell, tellOfAgents } from './agent-facts.ts'
export { forgetFacts, hasFactSince, type NewFact, writeFacts } from './facts.ts'
export { keepListeners } from './listeners.ts'
export { type Listeners, type Notice, everybody } from './notice.ts'
