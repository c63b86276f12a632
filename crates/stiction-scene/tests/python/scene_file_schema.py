"""Validates scenes against the schema: schema.json, folder of sound scenes, folder of broken ones."""

import json
import pathlib
import sys
import tomllib

import jsonschema


def load(path: pathlib.Path):
    if path.suffix == ".toml":
        return tomllib.loads(path.read_text(encoding="utf-8"))
    return json.loads(path.read_text(encoding="utf-8"))


schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
validator_class = jsonschema.validators.validator_for(schema, default=None)
assert validator_class is not None, "the schema names no known dialect"
validator_class.check_schema(schema)
validator = validator_class(schema)

count = 0
for path in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    problems = [f"{path.name}: {e.json_path}: {e.message}" for e in validator.iter_errors(load(path))]
    assert not problems, "\n".join(problems)
    count += 1
for path in sorted(pathlib.Path(sys.argv[3]).iterdir()):
    assert not validator.is_valid(load(path)), f"{path.name} should not be valid:\n{path.read_text()}"
    count += 1
print(count)
