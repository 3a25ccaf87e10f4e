import { setHashCost } from '../src/lib/password.ts'

// At full cost, hashing would dominate the tests that sign in. Only `password.test.ts` uses the
// real cost.
setHashCost({ memory: 128, passes: 1, parallelism: 1 })
