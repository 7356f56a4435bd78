// A window takes seconds to start, and many times that on a busy machine.
jest.setTimeout(180_000);
