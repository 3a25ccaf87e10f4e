export { cutAddresses, VISITORS_SEEN } from './cut-addresses.ts'
