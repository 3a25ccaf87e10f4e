export { type Hand, findPersons, type OnePerson, type Persons } from './persons.ts'
export { type HandBy, recordDevice, recordHand } from './record-hand.ts'
export { type DoneDeed, whyMayNot, type WhyNot } from './who-may.ts'
