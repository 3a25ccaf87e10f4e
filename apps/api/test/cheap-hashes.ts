import { setHashCost } from '../src/lib/password.ts'

// At full cost, hashing would take most of the time of the tests that sign in. `password.test.ts` pays it.
setHashCost({ memory: 128, passes: 1, parallelism: 1 })
