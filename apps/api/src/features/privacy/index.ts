export { cutAddresses } from './cut-addresses.ts'
