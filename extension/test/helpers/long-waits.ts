// A window takes seconds to come up, and many times as long on a machine on which much else runs.
jest.setTimeout(180_000);
